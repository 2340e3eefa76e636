package picture

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"
)

//go:embed page
var pageFiles embed.FS

// scripts is the parts of the page's script, in the order in which they are joined.
var scripts = []string{"format.js", "scene.js", "view.js", "paint.js", "lists.js", "map.js", "input.js", "main.js"}

var (
	pageScript   = joinScripts()
	pageTemplate = template.Must(template.New("page.html").Parse(pageFile("page.html")))
)

// HTML writes the picture as one page that needs nothing else: no network, no other file. Its policy lets it run its own
// script and no other, whatever the names in the picture hold.
func HTML(w io.Writer, p Picture) error {
	data, err := pageData(&p)
	if err != nil {
		return err
	}
	title := strings.ToValidUTF8(p.Title, "\uFFFD")
	if title == "" {
		title = "Memory plan"
	}
	return pageTemplate.Execute(w, map[string]any{
		"Title":  title,
		"Style":  template.CSS(pageFile("page.css")),
		"Script": template.JS(pageScript),
		"Hash":   scriptHash(pageScript),
		"Data":   template.JS(data),
	})
}

func pageFile(name string) string {
	text, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

func joinScripts() string {
	var all strings.Builder
	all.WriteString("\"use strict\";\n")
	for _, name := range scripts {
		all.WriteString(pageFile(name))
	}
	return all.String()
}

// scriptHash is what a content security policy calls a script.
func scriptHash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// pageData is the picture as JSON, in columns: each buffer once, however many plans place it. Whole numbers that a browser would
// round are strings. json.Marshal escapes what could end the script element that the data stand in.
func pageData(p *Picture) ([]byte, error) {
	t := newTable(p)
	data := []byte(`{"entries":`)
	data, err := appendJSON(data, p.Entries)
	if err != nil {
		return nil, err
	}
	if data, err = newClasses(p).appendTo(append(data, `,"classes":[`...)); err != nil {
		return nil, err
	}
	data = append(data, `],"buffers":{`...)
	if data, err = t.appendBuffers(data); err != nil {
		return nil, err
	}
	data = append(data, `},"plans":[`...)
	for i := range p.Plans {
		data = appendComma(data, i)
		if data, err = t.appendPlan(data, &p.Plans[i]); err != nil {
			return nil, err
		}
	}
	return append(data, "]}"...), nil
}

// appendTo appends the classes of lifetimes: up to which length each reaches, and its name.
func (c classes) appendTo(data []byte) ([]byte, error) {
	for class := range c.longest {
		text, err := json.Marshal(c.name(class))
		if err != nil {
			return nil, err
		}
		data = append(appendNumber(append(appendComma(data, class), `{"longest":`...), c.longest[class]), `,"name":`...)
		data = append(append(data, text...), '}')
	}
	return data, nil
}

// table is the buffers of all plans, each once, and the row of each buffer of each arena.
type table struct {
	buffers []*Buffer
	rows    map[*Arena][]int64
}

// bufferKey is what tells buffers apart, but for who takes them and where they are placed.
type bufferKey struct {
	id, name                string
	first, end, bytes, need int64
	held                    bool
}

func newTable(p *Picture) *table {
	t := &table{rows: map[*Arena][]int64{}}
	seen := map[bufferKey]int64{}
	for i := range p.Plans {
		for j := range p.Plans[i].Arenas {
			a := &p.Plans[i].Arenas[j]
			rows := make([]int64, len(a.Buffers))
			for k := range a.Buffers {
				rows[k] = t.row(seen, &a.Buffers[k])
			}
			t.rows[a] = rows
		}
	}
	return t
}

func (t *table) row(seen map[bufferKey]int64, b *Buffer) int64 {
	key := bufferKey{b.ID, b.Name, b.First, b.End, b.Bytes, b.Need, b.Held}
	if row, ok := seen[key]; ok && slices.Equal(t.buffers[row].Takers, b.Takers) {
		return row
	}
	seen[key] = int64(len(t.buffers))
	t.buffers = append(t.buffers, b)
	return seen[key]
}

func (t *table) appendBuffers(data []byte) ([]byte, error) {
	ids, names := make([]string, len(t.buffers)), make([]string, len(t.buffers))
	for i, b := range t.buffers {
		ids[i], names[i] = b.ID, b.Name
	}
	data, err := appendJSON(append(data, `"id":`...), ids)
	if err != nil {
		return nil, err
	}
	if data, err = appendJSON(append(data, `,"name":`...), names); err != nil {
		return nil, err
	}
	for _, column := range []struct {
		name string
		of   func(*Buffer) int64
	}{
		{"first", func(b *Buffer) int64 { return b.First }},
		{"end", func(b *Buffer) int64 { return b.End }},
		{"bytes", func(b *Buffer) int64 { return b.Bytes }},
		{"need", func(b *Buffer) int64 { return b.Need }},
		{"held", func(b *Buffer) int64 {
			if b.Held {
				return 1
			}
			return 0
		}},
	} {
		data = append(data, `,"`+column.name+`":[`...)
		for i, b := range t.buffers {
			data = appendNumber(appendComma(data, i), column.of(b))
		}
		data = append(data, ']')
	}
	return t.appendTakers(data), nil
}

// appendTakers appends who takes each buffer; null where that is not known.
func (t *table) appendTakers(data []byte) []byte {
	data = append(data, `,"takers":[`...)
	for i, b := range t.buffers {
		data = appendComma(data, i)
		if b.Takers == nil {
			data = append(data, "null"...)
			continue
		}
		data = appendNumbers(data, b.Takers)
	}
	return append(data, ']')
}

func (t *table) appendPlan(data []byte, plan *Plan) ([]byte, error) {
	data, err := appendJSON(append(data, `{"name":`...), plan.Name)
	if err != nil {
		return nil, err
	}
	data = append(data, `,"arenas":[`...)
	for i := range plan.Arenas {
		a := &plan.Arenas[i]
		if data, err = appendJSON(append(appendComma(data, i), `{"name":`...), a.Name); err != nil {
			return nil, err
		}
		for _, field := range []struct {
			name  string
			value int64
		}{{"size", a.Size}, {"bound", a.Bound}, {"peak", a.Peak}} {
			data = appendNumber(append(data, `,"`+field.name+`":`...), field.value)
		}
		data = strconv.AppendBool(append(data, `,"optimal":`...), a.Optimal)
		data = appendNumbers(append(data, `,"rows":`...), t.rows[a])
		offsets := make([]int64, len(a.Buffers))
		for k := range a.Buffers {
			offsets[k] = a.Buffers[k].Offset
		}
		data = append(appendNumbers(append(data, `,"offsets":`...), offsets), '}')
	}
	return append(data, "]}"...), nil
}

func appendJSON(data []byte, value any) ([]byte, error) {
	text, err := json.Marshal(value)
	return append(data, text...), err
}

func appendNumbers(data []byte, numbers []int64) []byte {
	data = append(data, '[')
	for i, n := range numbers {
		data = appendNumber(appendComma(data, i), n)
	}
	return append(data, ']')
}

// appendNumber appends a number, as a string if a browser would round it.
func appendNumber(data []byte, n int64) []byte {
	const exact = 1<<53 - 1
	if n >= -exact && n <= exact {
		return strconv.AppendInt(data, n, 10)
	}
	return append(strconv.AppendInt(append(data, '"'), n, 10), '"')
}

func appendComma(data []byte, i int) []byte {
	if i == 0 {
		return data
	}
	return append(data, ',')
}
