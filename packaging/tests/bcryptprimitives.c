// The one function of bcryptprimitives.dll that Rust's standard library needs. Wine has the library from version 9 on.
#include <stddef.h>

__declspec(dllimport) unsigned char SystemFunction036(void *data, unsigned long length);

__declspec(dllexport) int ProcessPrng(unsigned char *data, size_t length) {
  return SystemFunction036(data, (unsigned long)length);
}
