/// AtomicFile: whole files or none, every failure told.
#include "core/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include "hinge0/error.hpp"

namespace {

namespace fs = std::filesystem;
using hinge0::AtomicFile;

class AtomicFileTest : public testing::Test {
protected:
    AtomicFileTest() {
        std::string pattern = (fs::temp_directory_path() / "hinge0-atomic-XXXXXX").string();
        folder = ::mkdtemp(pattern.data());
    }
    ~AtomicFileTest() override { fs::remove_all(folder); }

    static std::string content(const fs::path &file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    static void put(const fs::path &file, const std::string &text) { std::ofstream(file) << text; }
    std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder), {}); }

    fs::path folder;
};

std::string message_of(const auto &action) {
    try {
        action();
    } catch (const hinge0::FileError &error) {
        return error.what();
    }
    return "no error";
}

TEST_F(AtomicFileTest, WritesAndReplaces) {
    const fs::path file = folder / "model";
    for (const std::string text : {"first", "", "second"}) {
        AtomicFile out(file);
        out.write(text);
        out.write("\n");
        out.commit();
        EXPECT_EQ(content(file), text + "\n");
    }
    EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, IsNotSeenBeforeCommit) {
    const fs::path file = folder / "model";
    put(file, "old");
    {
        AtomicFile out(file);
        out.write(std::string(1'000'000, 'x')); // more than any buffer
        EXPECT_EQ(content(file), "old");
        EXPECT_LE(files(), 2); // 1 where the file system has files without a name
    }
    EXPECT_EQ(content(file), "old");
    EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, TwoWritersDoNotMix) {
    const fs::path file = folder / "model";
    AtomicFile first(file), second(file);
    first.write("first");
    second.write("second");
    first.commit();
    EXPECT_EQ(content(file), "first");
    second.commit();
    EXPECT_EQ(content(file), "second");
    EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, FailedWriteLeavesOldFileAndNoTemporary) {
    const fs::path file = folder / "model";
    put(file, "old");
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{4096, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string message = message_of([&] {
        AtomicFile out(file);
        out.write(std::string(100'000, 'x'));
        out.commit();
    });
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(message, "cannot write (File too large): " + file.string());
    EXPECT_EQ(content(file), "old");
    EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, FullDiskIsToldAtTheLatestByCommit) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    AtomicFile out("/dev/full");
    out.write("x"); // buffered
    EXPECT_EQ(message_of([&] { out.commit(); }),
              "cannot write (No space left on device): /dev/full");
}

TEST_F(AtomicFileTest, DevicesAreWrittenDirectly) {
    AtomicFile out("/dev/null");
    out.write("x");
    out.commit();
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(AtomicFileTest, AnOpenDescriptorIsAppendedTo) {
    const fs::path file = folder / "redirected";
    std::FILE *open = std::fopen(file.c_str(), "w");
    ASSERT_NE(open, nullptr);
    std::fputs("before\n", open);
    std::fflush(open);
    const std::string name = "/dev/fd/" + std::to_string(::fileno(open));
    if (fs::exists(name)) {
        AtomicFile out(name);
        out.write("after\n");
        out.commit();
        EXPECT_EQ(content(file), "before\nafter\n");
    }
    std::fclose(open);
}

TEST_F(AtomicFileTest, FollowsLinks) {
    put(folder / "real", "old");
    fs::create_symlink("real", folder / "link");
    fs::create_symlink("new", folder / "dangling");
    for (const char *name : {"link", "dangling"}) {
        AtomicFile out(folder / name);
        out.write("text");
        out.commit();
        EXPECT_TRUE(fs::is_symlink(folder / name));
    }
    EXPECT_EQ(content(folder / "real"), "text");
    EXPECT_EQ(content(folder / "new"), "text");
    EXPECT_EQ(files(), 4);
}

TEST_F(AtomicFileTest, TakesABareName) {
    const fs::path before = fs::current_path();
    fs::current_path(folder);
    AtomicFile out("bare");
    out.write("text");
    out.commit();
    fs::current_path(before);
    EXPECT_EQ(content(folder / "bare"), "text");
}

TEST_F(AtomicFileTest, PermissionsFollowUmaskOrTheOldFile) {
    const auto mode = [&](const fs::path &file) {
        return static_cast<unsigned>(fs::status(file).permissions());
    };
    const mode_t mask = ::umask(027);
    AtomicFile(folder / "new").commit();
    ::umask(mask);
    EXPECT_EQ(mode(folder / "new"), 0640U);
    put(folder / "old", "");
    fs::permissions(folder / "old", fs::perms(0604));
    AtomicFile(folder / "old").commit();
    EXPECT_EQ(mode(folder / "old"), 0604U);
}

TEST_F(AtomicFileTest, SaysWhyItCannotOpen) {
    const std::string missing = (folder / "none" / "model").string();
    EXPECT_EQ(message_of([&] { AtomicFile{missing}; }),
              "cannot create (No such file or directory): " + missing);
    EXPECT_EQ(message_of([&] { AtomicFile{folder}; }),
              "cannot open (Is a directory): " + folder.string());
    EXPECT_EQ(message_of([&] { AtomicFile{""}; }), "cannot create (No such file or directory)");
}

TEST_F(AtomicFileTest, KeepsAWriteProtectedFile) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
    put(folder / "kept", "old");
    fs::permissions(folder / "kept", fs::perms(0444));
    EXPECT_EQ(message_of([&] { AtomicFile{folder / "kept"}; }),
              "cannot write (Permission denied): " + (folder / "kept").string());
}

TEST_F(AtomicFileTest, RenameOntoAFolderFails) {
    const fs::path file = folder / "model";
    AtomicFile out(file);
    fs::create_directory(file);
    EXPECT_EQ(message_of([&] { out.commit(); }),
              "cannot rename (Is a directory): " + file.string());
}

} // namespace
