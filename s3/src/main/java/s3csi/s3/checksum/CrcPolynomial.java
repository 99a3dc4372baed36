package s3csi.s3.checksum;

/**
 * Arithmetic on the polynomials behind the CRCs, to make the checksum of a whole from those of its parts. Bits are reflected:
 * the highest one stands for x⁰.
 */
public enum CrcPolynomial {
    CRC32C(32, 0x82F63B78L),
    CRC64NVME(64, 0x9A6C9329AC4BC9B5L);

    private final int width;
    private final long polynomial;

    CrcPolynomial(int width, long polynomial) {
        this.width = width;
        this.polynomial = polynomial;
    }

    long polynomial() {
        return polynomial;
    }

    /** The checksum of two runs of bytes, one after the other, from that of each and the length of the second. */
    public long combine(long first, long second, long secondLength) {
        return multiply(first, powerOfX8(secondLength)) ^ second;
    }

    /** x to the power of 8·n: what n zero bytes behind a run do to its checksum. */
    private long powerOfX8(long n) {
        long result = 1L << (width - 1);
        long square = 1L << (width - 9);
        for (long rest = n; rest != 0; rest >>>= 1) {
            if ((rest & 1) != 0) {
                result = multiply(result, square);
            }
            square = multiply(square, square);
        }
        return result;
    }

    private long multiply(long a, long b) {
        long product = 0;
        long factor = b;
        for (int bit = width - 1; bit >= 0; bit--) {
            if ((a >>> bit & 1) != 0) {
                product ^= factor;
            }
            factor = (factor & 1) != 0 ? factor >>> 1 ^ polynomial : factor >>> 1;
        }
        return product;
    }
}
