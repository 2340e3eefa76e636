//go:build !tolk_panic

package main

func maybePanic() {}
