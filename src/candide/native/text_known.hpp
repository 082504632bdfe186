// Documents in words that are known.
#pragma once

#include "text_bags.hpp"
#include "text_tokens.hpp"

namespace candide {

// Documents in words that are known, each with its amount: how often it stands there, or its share of them.
struct KnownRows {
    std::vector<std::int64_t> starts;
    std::vector<std::int32_t> words;
    std::vector<double> x;
};

// `place` says where each known word stands among those wanted, negative where it is not; shares are of all known words,
// and not asked for where units are 0.
template <class Words>
NotUtf8 read_words(const Documents& documents, const Characters& characters, const Analysis& analysis, Words words,
                   const std::int32_t* place, double units, KnownRows& out) {
    const auto n = static_cast<Index>(documents.size());
    const Division division = divide(n, reading_work(documents));
    std::vector<KnownRows> blocks(static_cast<std::size_t>(division.blocks));
    std::vector<NotUtf8> faults(blocks.size());
    guarded_rows(division, n, [&](Index block, Index begin, Index end) {
        KnownRows& into = blocks[block];
        Bag bag;
        std::vector<std::int32_t> ids;
        Reader<Words> reader(characters, analysis, words, ids);
        for (Index d = begin; d < end; ++d) {
            ids.clear();
            if (const Bytes wrong = reader.read(documents[d])) {
                faults[block] = {d, wrong - documents[d].begin};
                return;
            }
            bag.read(ids.data(), ids.size());
            const Shares share(bag.times.data(), bag.size, units);
            for (std::size_t i = 0; i < bag.size; ++i) {
                const std::int32_t at = place[words.entry(bag.words[i])];
                if (at < 0) continue;
                into.words.push_back(at);
                into.x.push_back(units > 0 ? share(bag.times[i]) / units : bag.times[i]);
            }
            into.starts.push_back(static_cast<std::int64_t>(into.words.size()));
        }
    });
    const NotUtf8 fault = first_of(faults);
    if (fault.document >= 0) return fault;
    out.starts.push_back(0);
    for (const KnownRows& block : blocks) {
        const std::int64_t before = out.starts.back();
        for (const std::int64_t end : block.starts) out.starts.push_back(before + end);
        out.words.insert(out.words.end(), block.words.begin(), block.words.end());
        out.x.insert(out.x.end(), block.x.begin(), block.x.end());
    }
    return {};
}

}  // namespace candide
