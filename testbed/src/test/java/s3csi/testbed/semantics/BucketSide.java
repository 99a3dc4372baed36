package s3csi.testbed.semantics;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * The command {@code s3} of a script: looks at the bucket and changes it from outside of the mount, as another machine would. The
 * shell has it as a function that asks this server, because a program of its own would start a JVM for each call.
 */
final class BucketSide implements AutoCloseable {
    private static final int NOT_FOUND = 404;

    private final S3Client client;
    private final ServerSocket socket;

    private BucketSide(S3Client client, ServerSocket socket) {
        this.client = client;
        this.socket = socket;
    }

    static BucketSide start(S3Client client) {
        try {
            var side = new BucketSide(client, new ServerSocket(0, 16, InetAddress.getLoopbackAddress()));
            Thread.ofVirtual().name("bucket-side").start(side::serve);
            return side;
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot listen for the command s3", failure);
        }
    }

    /** Its protocol: the number of arguments and a newline, each argument and a zero; back come the status, a newline, the text. */
    String shellFunction() {
        return """
                s3() {
                    local status socket
                    exec {socket}<>/dev/tcp/127.0.0.1/%d || return
                    { printf '%%d\\n' $#; printf '%%s\\0' "$@"; } >&$socket
                    read -r status <&$socket
                    cat <&$socket
                    exec {socket}>&-
                    return "$status"
                }
                """.formatted(socket.getLocalPort());
    }

    private void serve() {
        while (true) {
            try (Socket caller = socket.accept()) {
                answer(caller);
            } catch (IOException failure) {
                if (socket.isClosed()) {
                    return;
                }
                // The caller sees that its answer is missing; the next one is served.
                System.err.println("s3csi testbed: the command s3: " + failure);
            }
        }
    }

    private void answer(Socket caller) throws IOException {
        List<String> arguments = arguments(new BufferedInputStream(caller.getInputStream()));
        String answer;
        try {
            answer = "0\n" + perform(arguments);
        } catch (S3Exception refusal) {
            answer = "1\ns3: %s: %s\n"
                    .formatted(
                            String.join(" ", arguments),
                            refusal.statusCode() == NOT_FOUND ? "no such object" : refusal.getMessage());
        } catch (IllegalArgumentException usage) {
            answer = "2\ns3: " + usage.getMessage() + "\n";
        }
        caller.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
    }

    private String perform(List<String> arguments) {
        String verb = arguments.isEmpty() ? "" : arguments.getFirst();
        return switch (verb) {
            case "put" -> put(argument(arguments, 1), argument(arguments, 2));
            case "get" -> get(argument(arguments, 1));
            case "rm" -> remove(argument(arguments, 1));
            case "ls" -> list();
            case "head" -> head(argument(arguments, 1));
            case "uploads" -> uploads();
            case "policy" -> policy(argument(arguments, 1));
            default ->
                throw new IllegalArgumentException("'" + verb + "' is none of put, get, rm, ls, head, uploads, policy");
        };
    }

    private static String argument(List<String> arguments, int index) {
        if (index >= arguments.size()) {
            throw new IllegalArgumentException(arguments.getFirst() + " wants " + index + " arguments");
        }
        return arguments.get(index);
    }

    /** Text is stored with a newline, as lines are; no text is an empty object. */
    private String put(String key, String text) {
        client.putObject(
                request -> request.bucket(Sandbox.BUCKET).key(key),
                RequestBody.fromString(text.isEmpty() ? "" : text + "\n"));
        return "";
    }

    private String get(String key) {
        return client.getObjectAsBytes(request -> request.bucket(Sandbox.BUCKET).key(key))
                .asUtf8String();
    }

    private String remove(String key) {
        client.deleteObject(request -> request.bucket(Sandbox.BUCKET).key(key));
        return "";
    }

    private String list() {
        return client.listObjectsV2Paginator(request -> request.bucket(Sandbox.BUCKET)).contents().stream()
                .map(S3Object::key)
                .map(key -> key + "\n")
                .collect(Collectors.joining());
    }

    private String head(String key) {
        HeadObjectResponse head =
                client.headObject(request -> request.bucket(Sandbox.BUCKET).key(key));
        return "%d bytes, %s\n".formatted(head.contentLength(), head.contentType());
    }

    private String uploads() {
        return client.listMultipartUploads(request -> request.bucket(Sandbox.BUCKET)).uploads().stream()
                .map(upload -> upload.key() + "\n")
                .collect(Collectors.joining());
    }

    /** Lets everybody read the bucket, without keys. */
    private String policy(String which) {
        if (!which.equals("public-read")) {
            throw new IllegalArgumentException("the only policy is public-read");
        }
        client.putBucketPolicy(request -> request.bucket(Sandbox.BUCKET).policy("""
                {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": ["*"]},
                 "Action": ["s3:GetObject", "s3:ListBucket"], "Resource": ["arn:aws:s3:::%1$s", "arn:aws:s3:::%1$s/*"]}]}
                """.formatted(Sandbox.BUCKET)));
        return "";
    }

    private static List<String> arguments(InputStream in) throws IOException {
        int count = Integer.parseInt(until(in, '\n'));
        List<String> arguments = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            arguments.add(until(in, 0));
        }
        return arguments;
    }

    private static String until(InputStream in, int end) throws IOException {
        var bytes = new ByteArrayOutputStream();
        for (int next = in.read(); next != end; next = in.read()) {
            if (next < 0) {
                throw new IOException("the caller was gone before it had said what it wants");
            }
            bytes.write(next);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot close the socket of the command s3", failure);
        }
    }
}
