package s3csi.filesystem.testing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.S3FileSystem;
import s3csi.s3.ListRequest;
import s3csi.s3.ListingPage;
import s3csi.s3.ObjectStore;

/** A store that answers every other request rightly, but listings of one directory by a function of the token. */
public final class BrokenListings {
    private BrokenListings() {}

    /** A second file system on the store of a mount. */
    public static FakeKernel mount(Mounted mount, String prefix, Function<@Nullable String, ListingPage> pages) {
        ObjectStore store = (ObjectStore) Proxy.newProxyInstance(
                BrokenListings.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (_, method, arguments) -> {
                    if (arguments != null && arguments[0] instanceof ListRequest request) {
                        if (request.prefix().equals(prefix)) {
                            return pages.apply(request.continuation());
                        }
                    }
                    try {
                        return method.invoke(mount.memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return new FakeKernel(new S3FileSystem(store, mount.pool, mount.readers(), mount.config, mount.clock.time()));
    }
}
