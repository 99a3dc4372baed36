package s3csi.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every structure and every constant of this module against what the C compiler says. */
class AgreesWithCTest {
    private static final List<String> HEADERS = List.of(
            "dirent.h",
            "errno.h",
            "fcntl.h",
            "netinet/in.h",
            "poll.h",
            "signal.h",
            "spawn.h",
            "sys/mman.h",
            "sys/mount.h",
            "sys/prctl.h",
            "sys/socket.h",
            "sys/stat.h",
            "sys/syscall.h",
            "sys/uio.h",
            "sys/un.h",
            "sys/vfs.h",
            "sys/wait.h",
            "linux/capability.h",
            "linux/magic.h",
            "linux/openat2.h");

    @TempDir
    Path directory;

    @Test
    void structuresHaveTheOffsetsAndSizesOfTheCompiler() throws Exception {
        Map<String, Long> ours = new LinkedHashMap<>();
        add(ours, "struct iovec", IoVector.IOVEC);
        add(ours, "struct statx", FileStatus.STATX);
        add(ours, "struct statfs", FileSystemStatus.STATFS);
        add(ours, "struct pollfd", Poll.POLLFD);
        add(ours, "struct sigaction", Wakeup.SIGACTION);
        add(ours, "struct sockaddr_un", SocketCalls.SOCKADDR_UN);
        add(ours, "struct sockaddr_in6", SocketDevice.SOCKADDR_IN6);
        ours.put("offsetof(struct sockaddr_in, sin_port)", SocketDevice.PORT);
        add(ours, "struct msghdr", SocketCalls.MSGHDR);
        add(ours, "struct cmsghdr", SocketCalls.CMSGHDR);
        add(ours, "struct ucred", SocketCalls.UCRED);
        add(ours, "struct open_how", Directory.OPEN_HOW);
        add(ours, "struct mount_attr", BindMount.MOUNT_ATTR);
        add(ours, "struct __user_cap_header_struct", Privileges.CAPABILITY_HEADER);
        add(ours, "struct __user_cap_data_struct", Privileges.CAPABILITY_DATA);
        assertThat(ours).hasSizeGreaterThan(50);
        assertAgrees(ours);
    }

    @Test
    void constantsHaveTheValuesOfTheCompiler() throws Exception {
        Map<String, Long> ours = new LinkedHashMap<>();
        addConstants(ours, Errno.class, "E.+");
        addConstants(ours, FileFlags.class, "O_.+");
        addConstants(ours, Mounts.class, "(MS|MNT|UMOUNT)_.+");
        addConstants(ours, BindMount.class, "(OPEN_TREE|MOVE_MOUNT|MOUNT_ATTR)_.+");
        addConstants(ours, SocketCalls.class, "(AF|SOCK|SOL|SCM|SO|MSG)_.+");
        addConstants(ours, Poll.class, "POLL(IN|PRI|OUT)");
        addConstants(ours, PageMemory.class, "(PROT|MAP|MADV)_.+");
        addConstants(ours, Directory.class, "RESOLVE_.+");
        addConstants(ours, FileStatus.class, "(AT|STATX)_.+");
        addConstants(ours, WaitId.class, "(P_PID|W.+)");
        addConstants(ours, Spawn.class, "POSIX_.+");
        addConstants(ours, Processes.class, "SIG.+");
        addConstants(ours, Privileges.class, "PR_.+");
        ours.put("_LINUX_CAPABILITY_VERSION_3", (long) Privileges.CAPABILITY_VERSION);
        ours.put("SYS_gettid", SystemCalls.GETTID);
        ours.put("SYS_tgkill", SystemCalls.TGKILL);
        ours.put("SYS_openat2", SystemCalls.OPENAT2);
        ours.put("SYS_open_tree", SystemCalls.OPEN_TREE);
        ours.put("SYS_move_mount", SystemCalls.MOVE_MOUNT);
        ours.put("SYS_mount_setattr", SystemCalls.MOUNT_SETATTR);
        ours.put("SYS_getdents64", SystemCalls.GETDENTS64);
        addConstants(ours, DirectoryTree.class, "(AT|RESOLVE)_.+");
        ours.put("offsetof(struct dirent64, d_reclen)", DirectoryTree.LENGTH_OFFSET);
        ours.put("offsetof(struct dirent64, d_name)", DirectoryTree.NAME_OFFSET);
        ours.put("sizeof(siginfo_t)", WaitId.SIGINFO);
        ours.put("FUSE_SUPER_MAGIC", FileSystemStatus.FUSE);
        ours.put("sizeof(((struct sockaddr_un *) 0)->sun_path)", (long) SocketCalls.PATH_ROOM);
        // The signal must lie among those that are free for programs.
        ours.put("SIGRTMIN <= " + Wakeup.SIGNAL + " && " + Wakeup.SIGNAL + " < SIGRTMAX - 2", 1L);
        ours.put("sizeof(posix_spawn_file_actions_t) <= 512 && sizeof(posix_spawnattr_t) <= 512", 1L);
        assertThat(ours).hasSizeGreaterThan(120);
        assertAgrees(ours);
    }

    private void assertAgrees(Map<String, Long> ours) throws Exception {
        assertThat(ours).isEqualTo(CProgram.values(HEADERS, new ArrayList<>(ours.keySet()), directory));
    }

    private static void add(Map<String, Long> ours, String structure, StructLayout layout) {
        ours.put("sizeof(" + structure + ")", layout.byteSize());
        for (MemoryLayout member : layout.memberLayouts()) {
            member.name()
                    .ifPresent(name -> ours.put(
                            "offsetof(" + structure + ", " + name + ")",
                            layout.byteOffset(PathElement.groupElement(name))));
        }
    }

    private static void addConstants(Map<String, Long> ours, Class<?> holder, String names) throws Exception {
        Pattern wanted = Pattern.compile(names);
        for (Field field : holder.getDeclaredFields()) {
            boolean isNumber = field.getType().isPrimitive() && field.getType() != boolean.class;
            if (Modifier.isStatic(field.getModifiers())
                    && isNumber
                    && !Modifier.isPrivate(field.getModifiers())
                    && wanted.matcher(field.getName()).matches()) {
                ours.put(field.getName(), ((Number) field.get(null)).longValue());
            }
        }
    }
}
