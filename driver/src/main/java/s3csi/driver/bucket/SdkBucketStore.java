package s3csi.driver.bucket;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import s3csi.driver.bucket.BucketCall.Operation;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.BucketName;
import s3csi.volume.Cause;
import s3csi.volume.Region;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeFailure;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ListBucketsResponse;
import software.amazon.awssdk.services.s3.model.Tag;

/** The buckets of one account, through the SDK's S3 client. */
final class SdkBucketStore implements BucketStore {
    private static final int BUCKETS_OF_A_PAGE = 1000;

    /** An account may have as many buckets as this has room for many times over. */
    private static final int MOST_PAGES = 1000;

    private final RegionalClients clients;
    private final BucketMetrics metrics;
    private final AwsRequestOverrideConfiguration signed;
    private final AuthenticationSource keys;

    /** Changes once at most: when the store names the region it wants. */
    private volatile Region region;

    SdkBucketStore(RegionalClients clients, BucketMetrics metrics, Account account) {
        this.clients = clients;
        this.metrics = metrics;
        this.region = account.region();
        this.keys = account.source();
        this.signed = AwsRequestOverrideConfiguration.builder()
                .credentialsProvider(StaticCredentialsProvider.create(sdkForm(account.credentials())))
                .build();
    }

    @Override
    public Sight look(BucketName bucket) {
        try {
            return new Sight.Present(Optional.of(readTags(bucket)));
        } catch (Answer answer) {
            if (answer.codeIs("NoSuchTagSet", "NoSuchTagSetError")) {
                // MinIO says this of buckets that do not exist, too.
                return exists(bucket) ? new Sight.Present(Optional.of(Map.of())) : new Sight.Absent();
            }
            if (answer.codeIs("NoSuchBucket")) {
                return new Sight.Absent();
            }
            if (answer.codeIs("AccessDenied")) {
                return new Sight.Hidden();
            }
            if (answer.statusIs(501, 405)) {
                return exists(bucket) ? new Sight.Present(Optional.empty()) : new Sight.Absent();
            }
            throw answer.failure();
        }
    }

    @Override
    public Optional<Map<String, String>> tags(BucketName bucket) {
        try {
            return Optional.of(readTags(bucket));
        } catch (Answer answer) {
            if (answer.codeIs("NoSuchTagSet", "NoSuchTagSetError")) {
                return Optional.of(Map.of());
            }
            if (answer.codeIs("AccessDenied") || answer.statusIs(501, 405)) {
                return Optional.empty();
            }
            if (answer.codeIs("NoSuchBucket")) {
                throw new VolumeFailure(new Cause.StoreBusy(
                        answer.call.action(), "it said that the bucket is there, and now that it is not"));
            }
            throw answer.failure();
        }
    }

    private Map<String, String> readTags(BucketName bucket) throws Answer {
        Map<String, String> tags = new LinkedHashMap<>();
        call(
                        Operation.LOOK,
                        bucket,
                        s3 -> s3.getBucketTagging(r -> r.bucket(bucket.text()).overrideConfiguration(signed)))
                .tagSet()
                .forEach(tag -> tags.put(tag.key(), tag.value()));
        return tags;
    }

    /** Stores that know the prefix answer with one bucket; the others list all, and some of them in pages. */
    @Override
    public boolean owns(BucketName bucket) {
        String next = null;
        try {
            for (int page = 0; page < MOST_PAGES; page++) {
                String from = next;
                ListBucketsResponse answer = call(
                        Operation.OWN,
                        bucket,
                        s3 -> s3.listBuckets(r -> r.prefix(bucket.text())
                                .maxBuckets(BUCKETS_OF_A_PAGE)
                                .continuationToken(from)
                                .overrideConfiguration(signed)));
                if (answer.buckets().stream().anyMatch(listed -> bucket.text().equals(listed.name()))) {
                    return true;
                }
                next = answer.continuationToken();
                if (next == null || next.isEmpty()) {
                    return false;
                }
            }
            return false;
        } catch (Answer answer) {
            if (answer.codeIs("AccessDenied")) {
                return false;
            }
            throw answer.failure();
        }
    }

    @Override
    public boolean exists(BucketName bucket) {
        return list(bucket).isPresent();
    }

    @Override
    public boolean isEmpty(BucketName bucket) {
        return list(bucket).orElseThrow(() -> new VolumeFailure(new Cause.NoSuchBucket(bucket.text()))) == 0;
    }

    @Override
    public Creation create(BucketName bucket, Optional<Region> location) {
        try {
            call(
                    Operation.CREATE,
                    bucket,
                    s3 -> s3.createBucket(r -> {
                        r.bucket(bucket.text()).overrideConfiguration(signed);
                        // A store's own default region has no location of its own in the protocol.
                        location.filter(l -> !l.equals(Region.DEFAULT))
                                .ifPresent(l -> r.createBucketConfiguration(c -> c.locationConstraint(l.text())));
                    }));
            return Creation.MADE;
        } catch (Answer answer) {
            if (answer.codeIs("BucketAlreadyOwnedByYou")) {
                return Creation.ALREADY_OURS;
            }
            if (answer.codeIs("BucketAlreadyExists")) {
                return Creation.TAKEN;
            }
            throw answer.failure();
        }
    }

    @Override
    public void tag(BucketName bucket, Map<String, String> tags) {
        var tagSet = tags.entrySet().stream()
                .map(tag ->
                        Tag.builder().key(tag.getKey()).value(tag.getValue()).build())
                .toList();
        try {
            call(
                    Operation.TAG,
                    bucket,
                    s3 -> s3.putBucketTagging(r -> r.bucket(bucket.text())
                            .tagging(t -> t.tagSet(tagSet))
                            .overrideConfiguration(signed)));
        } catch (Answer answer) {
            throw answer.failure();
        }
    }

    @Override
    public Deletion delete(BucketName bucket) {
        try {
            call(
                    Operation.DELETE,
                    bucket,
                    s3 -> s3.deleteBucket(r -> r.bucket(bucket.text()).overrideConfiguration(signed)));
            return Deletion.DELETED;
        } catch (Answer answer) {
            if (answer.codeIs("NoSuchBucket")) {
                return Deletion.ABSENT;
            }
            if (answer.codeIs("BucketNotEmpty")) {
                return Deletion.NOT_EMPTY;
            }
            throw answer.failure();
        }
    }

    /** How many of at most one object; empty when there is no such bucket. A HEAD would do, but its refusals have no body to read. */
    private Optional<Integer> list(BucketName bucket) {
        try {
            return Optional.of(call(
                            Operation.LIST,
                            bucket,
                            s3 -> s3.listObjectsV2(
                                    r -> r.bucket(bucket.text()).maxKeys(1).overrideConfiguration(signed)))
                    .contents()
                    .size());
        } catch (Answer answer) {
            if (answer.codeIs("NoSuchBucket")) {
                return Optional.empty();
            }
            throw answer.failure();
        }
    }

    private <T> T call(Operation operation, BucketName bucket, Function<S3Client, T> request) throws Answer {
        try {
            return measured(operation, request);
        } catch (AwsServiceException answer) {
            Optional<Region> wanted = StoreAnswers.regionIn(answer).filter(r -> !r.equals(region));
            if (wanted.isEmpty()) {
                throw new Answer(answer, bucketCall(operation, bucket));
            }
            return callIn(wanted.get(), operation, bucket, request);
        } catch (SdkException failure) {
            throw failure(failure, operation, bucket);
        }
    }

    /** The store named its region in the refusal: once more, signed for that one. */
    private <T> T callIn(Region wanted, Operation operation, BucketName bucket, Function<S3Client, T> request)
            throws Answer {
        region = wanted;
        try {
            return measured(operation, request);
        } catch (AwsServiceException answer) {
            throw new Answer(answer, bucketCall(operation, bucket));
        } catch (SdkException failure) {
            throw failure(failure, operation, bucket);
        }
    }

    private <T> T measured(Operation operation, Function<S3Client, T> request) {
        long started = System.nanoTime();
        boolean answered = false;
        try {
            T answer = request.apply(clients.in(region));
            answered = true;
            return answer;
        } finally {
            metrics.called(operation.name().toLowerCase(Locale.ROOT), answered, System.nanoTime() - started);
        }
    }

    private BucketCall bucketCall(Operation operation, BucketName bucket) {
        return new BucketCall(operation, bucket, region, keys, clients.endpoint());
    }

    private VolumeFailure failure(SdkException failure, Operation operation, BucketName bucket) {
        return new VolumeFailure(StoreAnswers.causeOf(failure, bucketCall(operation, bucket)), failure);
    }

    private static AwsCredentials sdkForm(StoreKeys keys) {
        return keys.sessionToken()
                .<AwsCredentials>map(
                        token -> AwsSessionCredentials.create(keys.accessKeyId(), keys.secretAccessKey(), token))
                .orElseGet(() -> AwsBasicCredentials.create(keys.accessKeyId(), keys.secretAccessKey()));
    }

    /** The store answered, but not with success; what that means depends on what was asked. */
    private static final class Answer extends Exception {
        private final AwsServiceException answer;
        private final BucketCall call;

        Answer(AwsServiceException answer, BucketCall call) {
            super(answer);
            this.answer = answer;
            this.call = call;
        }

        boolean codeIs(String... codes) {
            return List.of(codes).contains(StoreAnswers.codeOf(answer));
        }

        boolean statusIs(int... statuses) {
            return Arrays.stream(statuses).anyMatch(s -> s == answer.statusCode());
        }

        VolumeFailure failure() {
            return new VolumeFailure(StoreAnswers.causeOf(answer, call), answer);
        }
    }
}
