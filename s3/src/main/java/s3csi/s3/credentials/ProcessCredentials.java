package s3csi.s3.credentials;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Keys from a command that a profile names ({@code credential_process}). It is started without a shell, which containers need not have,
 * with the environment of the mount; it has a minute, and what it complains about goes nowhere, because it may hold secrets.
 */
final class ProcessCredentials implements CredentialsSource {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int LARGEST = 64 << 10;

    private final String profile;
    private final List<String> command;
    private final Map<String, String> environment;

    ProcessCredentials(String profile, String command, Map<String, String> environment) throws CredentialsException {
        this.profile = profile;
        this.command = words(command);
        this.environment = Map.copyOf(environment);
        if (this.command.isEmpty()) {
            throw new CredentialsException("the credential_process of profile " + profile + " is empty");
        }
    }

    /** Words as a shell takes them apart, without anything else that a shell does. */
    static List<String> words(String text) throws CredentialsException {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && quote != '\'' && i + 1 < text.length()) {
                word.append(text.charAt(++i));
                inWord = true;
            } else if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
                inWord = true;
            } else if (!Character.isWhitespace(c)) {
                word.append(c);
                inWord = true;
            } else if (inWord) {
                words.add(word.toString());
                word.setLength(0);
                inWord = false;
            }
        }
        if (quote != 0) {
            throw new CredentialsException("a quote in credential_process has no end");
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }

    @Override
    public Credentials current() throws CredentialsException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin");
        builder.environment().putAll(environment);
        Process process;
        try {
            process = builder.start();
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new CredentialsException(this + " cannot be started: " + e.getMessage(), e);
        }
        try {
            return KeyDocument.read(output(process), "SessionToken", toString());
        } finally {
            process.destroyForcibly();
        }
    }

    private String output(Process process) throws CredentialsException {
        CompletableFuture<byte[]> read = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try (InputStream in = process.getInputStream()) {
                read.complete(in.readNBytes(LARGEST));
            } catch (IOException e) {
                read.completeExceptionally(e);
            }
        });
        try {
            byte[] bytes = read.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (!process.waitFor(PATIENCE)) {
                throw new TimeoutException();
            }
            if (process.exitValue() != 0) {
                throw new CredentialsException(
                        this + " ended with exit code " + process.exitValue() + "; run it by hand to see why");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (TimeoutException e) {
            throw new CredentialsException(this + " did not end within " + PATIENCE.toSeconds() + " seconds", e);
        } catch (ExecutionException e) {
            throw new CredentialsException(this + " cannot be read", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CredentialsException("interrupted while waiting for " + this, e);
        }
    }

    /** Without its arguments: there are tools that take a secret as one. */
    @Override
    public String toString() {
        return "the credential_process " + command.getFirst() + " of profile " + profile;
    }
}
