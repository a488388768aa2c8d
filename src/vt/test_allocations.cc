#include "vt/test_allocations.h"

#include <malloc.h>

#include <cstdlib>
#include <new>

namespace {

std::size_t allocations = 0;
std::size_t held = 0;

void release(void* memory) {
  if (memory != nullptr) held -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  ++allocations;
  held += malloc_usable_size(memory);
  return memory;
}

void* operator new[](std::size_t size) {
  return operator new(size);
}

void operator delete[](void* memory) noexcept {
  release(memory);
}

void operator delete[](void* memory, std::size_t /*size*/) noexcept {
  release(memory);
}

void operator delete(void* memory) noexcept {
  release(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept {
  release(memory);
}

namespace vt {

std::size_t allocation_count() {
  return allocations;
}

std::size_t bytes_held() {
  return held;
}

}  // namespace vt
