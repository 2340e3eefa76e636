package main

/*
#include <stdlib.h>
#include "boundary.h"
*/
import "C"

import (
	"unsafe"

	"libtolk_memory/planner"
)

func init() {
	// Go's own copy of the environment is as old as the load of the library.
	planner.LookupEnv = func(name string) (string, bool) {
		key := append([]byte(name), 0)
		value := C.getenv((*C.char)(unsafe.Pointer(&key[0])))
		return C.GoString(value), value != nil
	}
}

func setting(number C.uint32_t) (planner.Setting, error) {
	s := planner.Setting(number)
	if uint32(number) > 255 || !s.Valid() {
		return 0, faultf(C.TOLK_ERR_INVALID_ARGUMENT, "setting %d is none; there are TOLK_NO_MEMORY_PLANNER (1) and TOLK_DEBUG (2)", uint32(number))
	}
	return s, nil
}

//export gotolk_setting_get
func gotolk_setting_get(t *C.tolk_thread, number C.uint32_t, value *C.int64_t) C.tolk_status {
	return guard(t, func() error {
		s, err := setting(number)
		if err == nil {
			*value = C.int64_t(s.Get())
		}
		return err
	})
}

//export gotolk_setting_set
func gotolk_setting_set(t *C.tolk_thread, number C.uint32_t, value C.int64_t) C.tolk_status {
	return guard(t, func() error {
		s, err := setting(number)
		if err == nil {
			s.Set(int64(value))
		}
		return err
	})
}
