package s3csi.mounter.mount;

import java.io.IOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import s3csi.linux.LinuxException;
import s3csi.linux.SocketDevice;
import s3csi.mounter.config.StartFailure;
import s3csi.s3.http.SocketSetup;
import s3csi.volume.EngineTrouble;

/** The interfaces that connections to the store take, in turns. */
final class NetworkInterfaces implements SocketSetup {
    private final List<String> names;
    private final AtomicInteger connections = new AtomicInteger();

    private NetworkInterfaces(List<String> names) {
        this.names = names;
    }

    /** @param names none to leave the choice to the routes of the system */
    static SocketSetup named(List<String> names) throws StartFailure {
        for (String name : names) {
            checkThere(name);
        }
        return names.isEmpty() ? NONE : new NetworkInterfaces(names);
    }

    private static void checkThere(String name) throws StartFailure {
        try {
            if (NetworkInterface.getByName(name) == null) {
                throw new StartFailure(
                        EngineTrouble.INVALID_FIELD,
                        "there is no network interface '" + name + "' with an address; --bind takes one of "
                                + NetworkInterface.networkInterfaces()
                                        .map(NetworkInterface::getName)
                                        .collect(Collectors.joining(", ")),
                        null);
            }
        } catch (SocketException e) {
            throw new StartFailure("the network interfaces cannot be listed; leave out --bind", e);
        }
    }

    /** Every attempt takes the next one, so that one without a way to the store does not hold up the others. */
    @Override
    public void prepare(SocketChannel channel) throws IOException {
        String name = names.get(Math.floorMod(connections.getAndIncrement(), names.size()));
        try {
            SocketDevice.bind(channel, name);
        } catch (LinuxException e) {
            throw new IOException("a connection cannot be tied to the network interface " + name, e);
        }
    }
}
