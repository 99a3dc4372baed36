package s3csi.testbed.differential;

/** Something a program does with files. Files that are open have a number; paths are relative to the mount. */
sealed interface Action {
    /** The word for it in the list of differences. */
    String verb();

    record Open(int handle, String path, OpenKind mode) implements Action {
        @Override
        public String verb() {
            return "open-" + mode.label();
        }
    }

    record Read(int handle, int offset, int length) implements Action {
        @Override
        public String verb() {
            return "read";
        }
    }

    /** Where the last one ended. */
    record Write(int handle, int length, long seed) implements Action {
        @Override
        public String verb() {
            return "write";
        }
    }

    record WriteAt(int handle, int offset, int length, long seed) implements Action {
        @Override
        public String verb() {
            return "write-at";
        }
    }

    record Resize(int handle, int size) implements Action {
        @Override
        public String verb() {
            return "resize";
        }
    }

    record Sync(int handle) implements Action {
        @Override
        public String verb() {
            return "sync";
        }
    }

    record Close(int handle) implements Action {
        @Override
        public String verb() {
            return "close";
        }
    }

    record Look(String path) implements Action {
        @Override
        public String verb() {
            return "stat";
        }
    }

    record List(String path) implements Action {
        @Override
        public String verb() {
            return "list";
        }
    }

    record MakeDirectory(String path) implements Action {
        @Override
        public String verb() {
            return "mkdir";
        }
    }

    /** Of a file or of a directory, whichever is there. */
    record Remove(String path) implements Action {
        @Override
        public String verb() {
            return "remove";
        }
    }

    record Rename(String from, String to) implements Action {
        @Override
        public String verb() {
            return "rename";
        }
    }

    record SetMode(String path, String mode) implements Action {
        @Override
        public String verb() {
            return "chmod";
        }
    }

    record SetTime(String path, long seconds) implements Action {
        @Override
        public String verb() {
            return "utime";
        }
    }

    record Symlink(String path, String target) implements Action {
        @Override
        public String verb() {
            return "symlink";
        }
    }

    record Link(String path, String existing) implements Action {
        @Override
        public String verb() {
            return "link";
        }
    }
}
