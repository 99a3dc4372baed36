package s3csi.control;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where an informer keeps what it has seen, reduced to what the loop reads. */
public final class ReducedStore<T extends HasMetadata> implements ItemStore<T> {
    private final Map<String, T> items = new ConcurrentHashMap<>();
    private final UnaryOperator<T> reduction;

    public ReducedStore(UnaryOperator<T> reduction) {
        this.reduction = reduction;
    }

    @Override
    public String getKey(T item) {
        return Cache.metaNamespaceKeyFunc(item);
    }

    @Override
    public @Nullable T put(String key, T item) {
        return items.put(key, reduction.apply(item));
    }

    @Override
    public @Nullable T remove(String key) {
        return items.remove(key);
    }

    @Override
    public Stream<String> keySet() {
        return items.keySet().stream();
    }

    @Override
    public Stream<T> values() {
        return items.values().stream();
    }

    @Override
    public int size() {
        return items.size();
    }

    @Override
    public @Nullable T get(String key) {
        return items.get(key);
    }
}
