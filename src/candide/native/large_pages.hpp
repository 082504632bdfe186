// Memory of large tables: in large pages where they are looked at here and there, and given back when it is free.
#pragma once

#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace candide {

// Gives freed memory back to the system. glibc keeps what it thinks will be asked for again, in pieces that the next
// large array does not fit into.
inline void give_back() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

template <class T>
struct LargePages {
    using value_type = T;
    static constexpr std::size_t page = std::size_t{1} << 21;

    LargePages() = default;
    template <class U>
    LargePages(const LargePages<U>&) {}

    // A table of less than two pages stays in the second-level cache, and is not worth a page of its own.
    static constexpr bool is_large(std::size_t n) {
#ifdef __linux__
        return n * sizeof(T) >= 2 * page;
#else
        return false;
#endif
    }

    T* allocate(std::size_t n) {
#ifdef __linux__
        if (is_large(n)) {
            const std::size_t bytes = n * sizeof(T);
            void* at = std::aligned_alloc(page, (bytes + page - 1) / page * page);
            if (!at) throw std::bad_alloc();
            madvise(at, bytes, MADV_HUGEPAGE);  // a wish: nothing is lost where it is not granted
            return static_cast<T*>(at);
        }
#endif
        return std::allocator<T>{}.allocate(n);  // which heeds how a type is to be aligned
    }
    void deallocate(T* at, std::size_t n) {
        if (is_large(n))
            std::free(at);
        else
            std::allocator<T>{}.deallocate(at, n);
    }
    friend bool operator==(const LargePages&, const LargePages&) { return true; }
};

template <class T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace candide
