package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"libtolk_memory/cmd/tolkplan/internal/read"
)

// toFile writes a file, or standard output: all of it, or an error leaves the file as it was.
func (a *app) toFile(path string, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return &outputError{fmt.Errorf("%s: %w", path, err)}
	}
	if path == read.Stdin {
		_, err := a.out.Write(text.Bytes())
		return err
	}
	if err := writeFile(path, text.Bytes()); err != nil {
		return &outputError{fmt.Errorf("%s: %w", path, withoutPath(err))}
	}
	return nil
}

// withoutPath is an error of the operating system without the path it tells, which may be that of a temporary file.
func withoutPath(err error) error {
	var fault *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &fault):
		return fault.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// writeFile gives a file its contents by way of a temporary file beside it. What is no regular file is written as it is, and so is a file in a
// folder that takes no other.
func writeFile(path string, data []byte) error {
	target, mode, err := replaceable(path)
	if err != nil {
		return err
	}
	if target != "" {
		err := replace(target, mode, data)
		if !errors.Is(err, fs.ErrPermission) {
			return err
		}
	}
	return os.WriteFile(path, data, 0o666)
}

// replaceable is the file that another may take the place of when a path is written to, behind its links, and the mode that the other is to have, 0 where
// none is there yet. There is no such file, "", for pipes, devices, links to nothing and what a process has open already, such as /dev/stdout.
func replaceable(path string) (target string, mode fs.FileMode, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return "", 0, nil
		}
		return path, 0, nil
	}
	if err != nil {
		return "", 0, err
	}
	if !info.Mode().IsRegular() || strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/") {
		return "", 0, nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0) // a file that may not be written must not be replaced either
	if err != nil {
		return "", 0, err
	}
	if err := file.Close(); err != nil {
		return "", 0, err
	}
	target, err = filepath.EvalSymlinks(path)
	return target, info.Mode(), err
}

// replace puts a new file of some mode, or the usual one if that is 0, in the place of another.
func replace(path string, mode fs.FileMode, data []byte) error {
	temporary := filepath.Join(filepath.Dir(path), fmt.Sprintf(".tolkplan-%016x", rand.Uint64()))
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil && mode != 0 {
		err = file.Chmod(mode)
	}
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		_ = os.Remove(temporary) // the first error says more
	}
	return err
}
