package main

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	longestQuote   = 80   // bytes of what a message quotes
	longestMessage = 4000 // bytes of a message, whatever it holds
)

// clipped is a message that quotes no more of a file than it takes to find the place: files may hold a name of megabytes.
func clipped(message string) string {
	var out strings.Builder
	for {
		at := strings.IndexByte(message, '"')
		if at < 0 {
			break
		}
		out.WriteString(message[:at])
		message = message[at:]
		quoted, err := strconv.QuotedPrefix(message)
		if err != nil {
			quoted = message[:1]
		}
		message = message[len(quoted):]
		if len(quoted) > longestQuote {
			quoted = start(quoted, longestQuote) + `…"`
		}
		out.WriteString(quoted)
	}
	out.WriteString(message)
	if out.Len() > longestMessage {
		return start(out.String(), longestMessage) + "…"
	}
	return out.String()
}

// start is at most n bytes of a longer text, of whole characters and, if it is quoted, of whole escapes.
func start(text string, n int) string {
	for least := n - utf8.UTFMax; n > least && !utf8.RuneStart(text[n]); {
		n--
	}
	if at := strings.LastIndexByte(text[:n], '\\'); at >= 0 && n-at < len(`\U0010ffff`) {
		n = at
	}
	return text[:n]
}
