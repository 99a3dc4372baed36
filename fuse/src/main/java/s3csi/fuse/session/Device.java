package s3csi.fuse.session;

import java.lang.foreign.MemorySegment;
import s3csi.linux.CallState;
import s3csi.linux.FuseDevice;
import s3csi.linux.IoVector;
import s3csi.linux.LinuxException;
import s3csi.linux.Processes;

/** What a session reads requests from and writes answers to: the kernel, or a test in its place. */
interface Device {
    /** The length of a request, or a negative error number. */
    int read(MemorySegment buffer, CallState state);

    /** 0, or a negative error number. */
    int write(IoVector vector);

    /** Whether the thread of this number will never see an answer; false if it cannot be seen. */
    boolean isBeingKilled(int thread);

    void close();

    /** The real one. */
    static Device of(FuseDevice device) throws LinuxException {
        // Whoever opened it may have made it non-blocking; the threads wait in read.
        device.descriptor().setNonBlocking(false);
        return new Device() {
            @Override
            public int read(MemorySegment buffer, CallState state) {
                return device.read(buffer, state);
            }

            @Override
            public int write(IoVector vector) {
                return device.write(vector);
            }

            @Override
            public boolean isBeingKilled(int thread) {
                return Processes.isBeingKilled(thread);
            }

            @Override
            public void close() {
                device.close();
            }
        };
    }
}
