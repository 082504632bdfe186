// Lines of JSON objects as rows of CSV: keys that stand in every line are read once, and their cells as text is.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace candide {

// What the cells of a column are so far, as Arrow calls it.
enum class JsonKind { null, boolean, whole, number, text };

struct JsonColumns {
    std::vector<std::string_view> keys;  // with their quotes
    std::vector<JsonKind> kinds;
};

class JsonLines {
public:
    // A zero stands behind the lines, so that no loop asks for their end; rows have room for one byte more than lines.
    JsonLines(const char* begin, const char* end, JsonColumns& columns, char* rows)
        : at_(begin), end_(end), columns_(columns), to_(rows) {}

    // Return where the rows end; null where a line is anything but an object of the first one's keys, in their order, and
    // plain values.
    char* read() {
        // ends: every object has a byte at least
        while (skip_blank())
            if (!object()) return nullptr;
        return columns_.keys.empty() ? nullptr : to_;
    }

private:
    static constexpr int longest_whole = 18;  // digits that surely are a number of 64 bits

    const char* at_;
    const char* end_;
    JsonColumns& columns_;
    char* to_;
    bool first_ = true;

    void spaces() {
        // ends: at the zero behind the lines, if not before
        while (*at_ == ' ' || *at_ == '\t') ++at_;
    }

    bool skip_blank() {
        // ends: at the zero behind the lines, if not before
        while (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n') ++at_;
        return at_ < end_;
    }

    bool take(char c) {
        if (*at_ != c) return false;
        ++at_;
        return true;
    }

    bool take(std::string_view word) {
        if (static_cast<std::size_t>(end_ - at_) < word.size() || std::memcmp(at_, word.data(), word.size()) != 0)
            return false;
        at_ += word.size();
        return true;
    }

    void put(const char* begin, const char* end) {
        const auto n = static_cast<std::size_t>(end - begin);
        std::memcpy(to_, begin, n);
        to_ += n;
    }

    void put(char c) { *to_++ = c; }

    bool object() {
        if (!take('{')) return false;
        std::size_t j = 0;
        do {
            spaces();
            if (j) put(',');
            if (!key(j)) return false;
            spaces();
            if (!take(':')) return false;
            spaces();
            if (!value(columns_.kinds[j])) return false;
            spaces();
            ++j;
        } while (take(','));  // ends: every cell has a byte at least
        if (!take('}') || j < columns_.keys.size()) return false;
        spaces();
        take('\r');
        if (at_ < end_ && !take('\n')) return false;
        put('\n');
        first_ = false;
        return true;
    }

    bool key(std::size_t j) {
        if (!first_) return j < columns_.keys.size() && take(columns_.keys[j]);
        const char* const begin = at_;
        if (!take('"')) return false;
        // ends: at the zero behind the lines, if not before
        while (*at_ != '"') {
            if (*at_ == '\\' || static_cast<unsigned char>(*at_) < ' ') return false;
            ++at_;
        }
        ++at_;
        const std::string_view found(begin, static_cast<std::size_t>(at_ - begin));
        for (const std::string_view other : columns_.keys)
            if (other == found) return false;
        columns_.keys.push_back(found);
        columns_.kinds.push_back(JsonKind::null);
        return true;
    }

    bool value(JsonKind& kind) {
        switch (*at_) {
            case '"': return joins(kind, JsonKind::text) && text();
            case 'n': return take("null");
            case 't': return joins(kind, JsonKind::boolean) && word("true");
            case 'f': return joins(kind, JsonKind::boolean) && word("false");
            default: return number(kind);
        }
    }

    // Whole numbers may be numbers; else a column is of one kind, and may have gaps.
    static bool joins(JsonKind& kind, JsonKind found) {
        if (kind == JsonKind::null || (kind == JsonKind::whole && found == JsonKind::number)) kind = found;
        return kind == found || (kind == JsonKind::number && found == JsonKind::whole);
    }

    bool word(std::string_view it) {
        if (!take(it)) return false;
        put(it.data(), it.data() + it.size());
        return true;
    }

    static const char* digits(const char* at) {
        // ends: at the zero behind the lines, if not before
        while (*at >= '0' && *at <= '9') ++at;
        return at;
    }

    bool number(JsonKind& kind) {
        const char* const whole = at_ + (*at_ == '-');
        const char* at = digits(whole);
        if (at == whole || (*whole == '0' && at > whole + 1)) return false;
        const bool longer = at > whole + longest_whole;
        const char* const behind = at;
        if (*at == '.' && (at = digits(behind + 1)) == behind + 1) return false;
        if (*at == 'e' || *at == 'E') {
            const char* const power = at + 1 + (at[1] == '+' || at[1] == '-');
            if ((at = digits(power)) == power) return false;
        }
        if (at == behind && longer) return false;
        put(at_, at);
        at_ = at;
        return joins(kind, at == behind ? JsonKind::whole : JsonKind::number);
    }

    bool text() {
        ++at_;
        put('"');
        // ends: at the zero behind the lines, if not before
        while (true) {
            const char* at = at_;
            // ends: at the zero behind the lines, if not before
            while (*at != '"' && *at != '\\' && static_cast<unsigned char>(*at) >= ' ') ++at;
            put(at_, at);
            at_ = at;
            if (take('"')) break;
            if (!take('\\') || !escape()) return false;
        }
        put('"');
        return true;
    }

    bool escape() {
        const char c = *at_++;
        switch (c) {
            case '"': put('"'); [[fallthrough]];  // twice, as CSV has it
            case '\\':
            case '/': put(c); return true;
            case 'b': put('\b'); return true;
            case 'f': put('\f'); return true;
            case 'n': put('\n'); return true;
            case 'r': put('\r'); return true;
            case 't': put('\t'); return true;
            case 'u': return character();
            default: return false;
        }
    }

    // A character by its number, of which those beyond 16 bits are written as two halves.
    bool character() {
        std::uint32_t c = 0, low = 0;
        if (!hexadecimal(c) || c == 0) return false;
        if (c >= 0xd800 && c < 0xe000) {
            if (c >= 0xdc00 || !take("\\u") || !hexadecimal(low) || low < 0xdc00 || low >= 0xe000) return false;
            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        }
        if (c == '"') put('"');
        if (c < 0x80) {
            put(static_cast<char>(c));
        } else {
            const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
            constexpr unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
            put(static_cast<char>(lead[more] | (c >> (6 * more))));
            for (int k = more - 1; k >= 0; --k) put(static_cast<char>(0x80 | ((c >> (6 * k)) & 0x3f)));
        }
        return true;
    }

    bool hexadecimal(std::uint32_t& c) {
        if (end_ - at_ < 4) return false;
        c = 0;
        for (int k = 0; k < 4; ++k, ++at_) {
            const char d = *at_ | 0x20;  // small letters
            if (*at_ >= '0' && *at_ <= '9')
                c = 16 * c + static_cast<std::uint32_t>(*at_ - '0');
            else if (d >= 'a' && d <= 'f')
                c = 16 * c + static_cast<std::uint32_t>(d - 'a' + 10);
            else
                return false;
        }
        return true;
    }
};

}  // namespace candide
