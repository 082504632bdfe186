// Bits as bytes, and back: a bit that was foretold with chance p costs log2 of 1 / p bits.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace candide::mixing {

inline constexpr int chance_bits = 12, chances = 1 << chance_bits;  // chances are multiples of 1 / 4096

struct Broken : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Narrows [low, high] by the chance of each bit; bytes in which both ends agree are written.
class Encoder {
public:
    int operator()(int chance, int bit) {
        const std::uint32_t middle = low_ + (high_ - low_ >> chance_bits) * static_cast<std::uint32_t>(chance);
        (bit ? high_ : low_) = bit ? middle : middle + 1;
        // ends: a byte is shifted out each time, and two ends that are equal differ by the next
        while (low_ >> 24 == high_ >> 24) {
            out_ += static_cast<char>(high_ >> 24);
            low_ <<= 8;
            high_ = high_ << 8 | 255;
        }
        return bit;
    }
    // The bytes, the last such that zeros behind it lie within the interval.
    std::string ended() {
        if (low_) out_ += static_cast<char>((low_ >> 24) + 1);
        return std::move(out_);
    }

private:
    std::uint32_t low_ = 0, high_ = ~std::uint32_t{0};
    std::string out_;
};

class Decoder {
public:
    explicit Decoder(std::string_view coded) : coded_(coded) {
        for (int i = 0; i < 4; ++i) at_ = at_ << 8 | next();
    }
    int operator()(int chance, int) {
        const std::uint32_t middle = low_ + (high_ - low_ >> chance_bits) * static_cast<std::uint32_t>(chance);
        const int bit = at_ <= middle;
        (bit ? high_ : low_) = bit ? middle : middle + 1;
        // ends: a byte is shifted out each time, and two ends that are equal differ by the next
        while (low_ >> 24 == high_ >> 24) {
            if (++shifted_ > coded_.size()) throw Broken("it was cut short");
            low_ <<= 8;
            high_ = high_ << 8 | 255;
            at_ = at_ << 8 | next();
        }
        return bit;
    }
    // Refuses bytes that an encoder would not have written last.
    void end() const {
        const std::size_t size = shifted_ + (low_ != 0);
        if (coded_.size() != size || (low_ && static_cast<std::uint8_t>(coded_.back()) != (low_ >> 24) + 1))
            throw Broken("it was cut short, or has something behind it");
    }

private:
    std::uint32_t next() { return read_ < coded_.size() ? static_cast<std::uint8_t>(coded_[read_++]) : (++read_, 0); }
    std::string_view coded_;
    std::size_t read_ = 0, shifted_ = 0;
    std::uint32_t low_ = 0, high_ = ~std::uint32_t{0}, at_ = 0;
};

}  // namespace candide::mixing
