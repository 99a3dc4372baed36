package s3csi.s3.http;

import java.math.BigInteger;
import java.net.InetAddress;

/** Addresses that begin with the same bits, written as in {@code 10.0.0.0/8}. */
final class Subnet {
    private Subnet() {}

    /** Whether the host is an address of the subnet. What is no subnet contains nothing, and names are not looked up. */
    static boolean contains(String subnet, String host) {
        int slash = subnet.indexOf('/');
        if (slash < 0) {
            return false;
        }
        try {
            byte[] network = InetAddress.ofLiteral(subnet.substring(0, slash)).getAddress();
            byte[] address = InetAddress.ofLiteral(host).getAddress();
            int others = network.length * Byte.SIZE - Integer.parseInt(subnet.substring(slash + 1));
            return network.length == address.length && others >= 0 && beginAlike(network, address, others);
        } catch (IllegalArgumentException _) {
            // One of them is a name, or the length is no number.
            return false;
        }
    }

    private static boolean beginAlike(byte[] one, byte[] other, int bitsLeftOut) {
        return new BigInteger(1, one).shiftRight(bitsLeftOut).equals(new BigInteger(1, other).shiftRight(bitsLeftOut));
    }
}
