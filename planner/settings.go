package planner

import (
	"os"
	"strconv"
	"sync"
)

// Setting is a process-wide setting. The values are part of the C ABI.
type Setting uint8

// The settings.
const (
	// NoMemoryPlanner switches planning off where it is not 0.
	NoMemoryPlanner Setting = iota + 1
	// Debug prints the memory saved where it is 1 or more.
	Debug
	settingEnd
)

var settingNames = [settingEnd]string{NoMemoryPlanner: "NO_MEMORY_PLANNER", Debug: "DEBUG"}

// Valid reports whether s is a setting.
func (s Setting) Valid() bool { return s > 0 && s < settingEnd }

// String is the name of the environment variable that the setting starts from.
func (s Setting) String() string {
	if s.Valid() {
		return settingNames[s]
	}
	return "setting " + strconv.Itoa(int(s))
}

// LookupEnv finds the environment variables that settings start from. The C face
// replaces it, before first use, by one that sees what the host has set since the library was loaded.
var LookupEnv = os.LookupEnv

var settings struct {
	sync.Mutex
	known [settingEnd]bool
	value [settingEnd]int64
}

// Get is the value of a setting: what Set gave it last or, before that, what its environment
// variable held at the first use; 0 where that is absent or no integer.
func (s Setting) Get() int64 {
	settings.Lock()
	defer settings.Unlock()
	if !settings.known[s] {
		text, _ := LookupEnv(settingNames[s])
		value, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			value = 0
		}
		settings.known[s], settings.value[s] = true, value
	}
	return settings.value[s]
}

// Set gives a setting a value for the whole process.
func (s Setting) Set(value int64) {
	settings.Lock()
	defer settings.Unlock()
	settings.known[s], settings.value[s] = true, value
}
