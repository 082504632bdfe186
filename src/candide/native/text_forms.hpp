// Documents whose words become others, such as their stems, before they are summed: the words are found, then asked for
// what each of them becomes, once, and the numbers that documents were read as are summed by what they mean.
#pragma once

#include "text_sums.hpp"

namespace candide {

class FormCounting {
  public:
    FormCounting(const Documents& all, const Learning& by)
        : documents(all), learning(by), parting(static_cast<Index>(by.order.size()), reading_work(all), by),
          blocks(static_cast<std::size_t>(parting.division.blocks)) {}

    // Read the documents that count, and tell their words.
    NotUtf8 read(const Characters& characters, const Analysis& analysis, Spelt& words) {
        std::vector<WordTable> tables(parting.size());
        std::vector<NotUtf8> faults(blocks.size());
        const Index text = bytes_of(documents) / static_cast<Index>(parting.size());
        guarded_rows(parting.division, size(), [&](Index b, Index begin, Index end) {
            Block& block = blocks[b];
            block.table = parting.of(b);
            tables[block.table].expect(text);
            Reader<WordTable> reader(characters, analysis, tables[block.table], block.ids);
            for (Index i = begin; i < end; ++i) {
                const std::int64_t d = learning.order[i];
                if (i + 1 < end) fetch(documents[learning.order[i + 1]]);
                if (const Bytes wrong = reader.begin(documents[d])) {
                    faults[b] = {d, wrong - documents[d].begin};
                    return;
                }
                block.ends.push_back(reader.size());
            }
            reader.finish();
        });
        numbers = detail::unite(tables, words);
        return first_of(faults);
    }

    // Sum them by what each word means among others, negative where it is dropped.
    void sum(const std::int32_t* meaning, Index words, WordSums& sums) {
        for (auto& of_table : numbers)
            for (std::int32_t& number : of_table) number = meaning[number];
        std::vector<detail::Part> parts(parting.size());
        guarded_rows(parting.division, size(), [&](Index b, Index begin, Index) {
            Block& block = blocks[b];
            const auto& of_table = numbers[block.table];
            detail::Part& part = parts[parting.of(b)];
            part.room(static_cast<std::size_t>(words));
            std::size_t from = 0;
            for (std::size_t j = 0; j < block.ends.size(); from = block.ends[j++]) {
                std::int32_t* const ids = block.ids.data() + from;
                std::size_t kept = 0;
                for (std::size_t i = 0; i < block.ends[j] - from; ++i) {
                    ids[kept] = of_table[ids[i]];
                    kept += ids[kept] >= 0;  // no branch on whether a word is dropped, which nobody can foretell
                }
                part.add(learning, learning.order[begin + static_cast<Index>(j)], ids, kept);
            }
            block.ids = {};
        });
        detail::finish(parts);
        const auto same = [](std::size_t, std::int64_t word) { return static_cast<std::int32_t>(word); };
        sums = detail::together(parts, words, same);
        if (learning.keep) detail::tell_bags(parts, static_cast<Index>(documents.size()), *learning.keep, same);
    }

  private:
    // Documents as one thread read them, numbered by the words of a table, and where each ends.
    struct alignas(lines_apart) Block {
        std::size_t table = 0;
        std::vector<std::int32_t> ids;
        std::vector<std::size_t> ends;
    };
    Index size() const { return static_cast<Index>(learning.order.size()); }

    const Documents& documents;
    const Learning& learning;
    detail::Parting parting;
    std::vector<Block> blocks;
    std::vector<std::vector<std::int32_t>> numbers;
};

}  // namespace candide
