/// Lines and labels: what both formats share.
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "data/readers.hpp"
#include "data/text.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

} // namespace

void prefer_huge_pages(void *memory, std::size_t bytes) {
    constexpr std::size_t huge = std::size_t{2} << 20;
    const std::size_t before = huge - reinterpret_cast<std::uintptr_t>(memory) % huge;
    if (bytes < before + huge) return;
    const std::size_t whole = (bytes - before) / huge * huge;
    ::madvise(static_cast<std::byte *>(memory) + before, whole, MADV_HUGEPAGE);
}

LineReader::LineReader(ByteSource source, std::string name, std::function<bool()> should_stop,
                       ReadBudget &budget)
    : source_(std::move(source)), name_(std::move(name)), should_stop_(std::move(should_stop)),
      budget_(budget) {}

LineReader::LineReader(const LineBlock &block, std::string name, ReadBudget &budget)
    : source_([] { return std::string_view(); }), name_(std::move(name)), budget_(budget),
      rest_(block.text), number_(block.lines_before), begins_file_(false) {}

bool LineReader::next() {
    if (std::exchange(peeked_, false)) return true;
    for (;;) {
        skip_empty_lines();
        if (!next_raw()) return false;
        const std::string_view::const_iterator first = std::ranges::find_if_not(line_, is_blank);
        if (first != line_.end() && *first != '#') return true;
    }
}

/// A small compressed file may hold thousands of millions of empty lines: eight bytes at a time.
void LineReader::skip_empty_lines() {
    static constexpr std::string_view many = "\n\n\n\n\n\n\n\n";
    std::size_t count = 0;
    while (rest_.substr(count, many.size()) == many) count += many.size();
    while (count < rest_.size() && rest_[count] == '\n') ++count;
    rest_.remove_prefix(count);
    number_ += static_cast<std::int64_t>(count);
}

bool LineReader::peek() { return peeked_ = next(); }

bool LineReader::next_raw() {
    carry_.clear();
    for (bool begun = false;;) {
        if (rest_.empty() && !refill()) {
            line_ = carry_;
            if (!begun) return false;
            break;
        }
        begun = true;
        const auto *const end =
            static_cast<const char *>(std::memchr(rest_.data(), '\n', rest_.size()));
        const std::size_t length =
            end == nullptr ? rest_.size() : static_cast<std::size_t>(end - rest_.data());
        line_ = rest_.substr(0, length);
        rest_.remove_prefix(end == nullptr ? length : length + 1);
        if (end != nullptr && carry_.empty()) break;
        append(carry_, line_);
        line_ = carry_;
        if (end != nullptr) break;
    }
    if (++number_ == 1 && begins_file_ && line_.starts_with(byte_order_mark))
        line_.remove_prefix(byte_order_mark.size());
    cut_return_ = line_.ends_with('\r');
    if (cut_return_) line_.remove_suffix(1);
    return true;
}

bool LineReader::next_block(std::size_t bytes, LineBlock &out) {
    const bool at_start = number_ == 0;
    out.text.clear();
    out.lines_before = number_ - (peeked_ ? 1 : 0);
    if (std::exchange(peeked_, false)) {
        append(out.text, line_);
        append(out.text, cut_return_ ? "\r\n" : "\n");
    }
    const std::size_t counted = out.text.size();
    for (bool ended = false; !ended && (!rest_.empty() || refill());) {
        const std::size_t wanted = bytes - std::min(bytes, out.text.size() + 1);
        const std::size_t end = rest_.find('\n', wanted);
        ended = end != std::string_view::npos;
        const std::size_t length = ended ? end + 1 : rest_.size();
        append(out.text, rest_.substr(0, length));
        rest_.remove_prefix(length);
    }
    number_ +=
        std::count(out.text.begin() + static_cast<std::ptrdiff_t>(counted), out.text.end(), '\n');
    if (at_start && out.text.starts_with(byte_order_mark))
        out.text.erase(0, byte_order_mark.size());
    return !out.text.empty();
}

void LineReader::append(std::string &text, std::string_view more) {
    if (text.size() + more.size() > text.capacity()) budget_.take(text.size() + more.size());
    text.append(more);
}

bool LineReader::refill() {
    if (should_stop_ && should_stop_()) throw Interrupted("interrupted while reading", name_);
    rest_ = source_();
    return !rest_.empty();
}

void LineReader::fail(const std::string &what) const {
    throw FileError(what, fmt::format("{}:{}", name_, number_));
}

std::int32_t LabelNames::number(std::string_view text) {
    if (last_ >= 0 && text == last_text_) return last_;
    auto known = by_text_.find(text);
    if (known == by_text_.end()) {
        const std::optional<std::string> name = canonical_label(text);
        if (!name) return -1;
        constexpr std::size_t entries = 2 * (sizeof(Numbers::value_type) + 2 * sizeof(void *));
        budget_->take(3 * text.size() + entries + sizeof(std::string));
        const auto [entry, is_new] =
            by_name_.try_emplace(*name, static_cast<std::int32_t>(names_.size()));
        if (is_new) names_.push_back(*name);
        known = by_text_.emplace(text, entry->second).first;
    }
    last_text_ = text;
    return last_ = known->second;
}

} // namespace hinge0
