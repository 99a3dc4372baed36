package s3csi.s3.credentials;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The profiles of the shared files, as they are now. A profile may stand in both; where they disagree, the credentials file wins. */
final class Profiles {
    /** What profiles have for whom a person signs on in a browser. */
    private static final Set<String> SIGN_ON =
            Set.of("sso_session", "sso_start_url", "sso_account_id", "sso_role_name");

    private final String files;
    private final List<ProfileFile> byRank = new ArrayList<>();
    private final String defaultSession;

    private Profiles(String files, String defaultSession) {
        this.files = files;
        this.defaultSession = defaultSession;
    }

    /**
     * Reads both files; one that is not there has no profiles.
     *
     * @param defaultSession the name of the session of a role whose profile gives none
     */
    static Profiles read(Path credentialsFile, Path configFile, String defaultSession) throws IOException {
        Profiles profiles = new Profiles(credentialsFile + " or " + configFile, defaultSession);
        for (Path file : List.of(configFile, credentialsFile)) {
            profiles.byRank.add(ProfileFile.parse(textOf(file)));
        }
        return profiles;
    }

    private static String textOf(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    /** Where the keys of a profile come from. */
    ProfileKeys keysOf(String profile) throws CredentialsException {
        return keysOf(profile, List.of());
    }

    /** The same for a profile that others name as their source, the first of them first. */
    private ProfileKeys keysOf(String profile, List<String> users) throws CredentialsException {
        Map<String, String> settings = settings(profile, users);
        String role = settings.getOrDefault("role_arn", "");
        // A profile that is its own source signs with the keys it has itself.
        boolean isOwnSource = !users.isEmpty() && users.getLast().equals(profile);
        if (!role.isEmpty() && !isOwnSource) {
            return ofRole(profile, settings, users);
        }
        String id = settings.getOrDefault("aws_access_key_id", "");
        String secret = settings.getOrDefault("aws_secret_access_key", "");
        if (!id.isEmpty() && !secret.isEmpty()) {
            String token = settings.getOrDefault("aws_session_token", "");
            return new ProfileKeys.Fixed(new Credentials.Keys(id, secret, token.isEmpty() ? null : token, null));
        }
        String command = settings.getOrDefault("credential_process", "");
        if (!command.isEmpty()) {
            return new ProfileKeys.Command(profile, command);
        }
        if (settings.keySet().stream().anyMatch(SIGN_ON::contains)) {
            throw new CredentialsException("profile " + profile + " signs on in a browser (sso_session, sso_start_url),"
                    + " which no mount can; give it keys, a credential_process or a role");
        }
        throw new CredentialsException("profile " + profile + " in " + files + " has no "
                + (id.isEmpty() ? "aws_access_key_id" : "aws_secret_access_key") + "; add it");
    }

    private ProfileKeys ofRole(String profile, Map<String, String> settings, List<String> users)
            throws CredentialsException {
        if (!settings.getOrDefault("mfa_serial", "").isEmpty()) {
            throw new CredentialsException("profile " + profile + " asks for the code of a device (mfa_serial), which"
                    + " nobody can enter for a mount; use a role that does not need one");
        }
        Role role = role(profile, settings);
        String tokenFile = settings.getOrDefault("web_identity_token_file", "");
        if (!tokenFile.isEmpty()) {
            return new ProfileKeys.OfWebIdentity(role, Path.of(tokenFile));
        }
        String source = settings.getOrDefault("source_profile", "");
        String place = settings.getOrDefault("credential_source", "");
        if (source.isEmpty() == place.isEmpty()) {
            throw new CredentialsException("profile " + profile + " assumes a role (role_arn) and must say with whose"
                    + " keys: by exactly one of source_profile, credential_source and web_identity_token_file");
        }
        return new ProfileKeys.OfRole(
                role, source.isEmpty() ? ofPlace(profile, place) : ofSource(profile, source, users));
    }

    private Role role(String profile, Map<String, String> settings) throws CredentialsException {
        String seconds = settings.getOrDefault("duration_seconds", "");
        if (!seconds.matches("\\d{0,6}")) {
            throw new CredentialsException("duration_seconds of profile " + profile
                    + " is no number of seconds; write one such as 3600, or leave it out");
        }
        String session = settings.getOrDefault("role_session_name", "");
        return new Role(
                settings.getOrDefault("role_arn", ""),
                session.isEmpty() ? defaultSession : session,
                nullIfEmpty(settings.getOrDefault("external_id", "")),
                nullIfEmpty(seconds),
                nullIfEmpty(settings.getOrDefault("region", "")));
    }

    private static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    private ProfileKeys ofSource(String profile, String source, List<String> users) throws CredentialsException {
        List<String> chain = new ArrayList<>(users);
        chain.add(profile);
        if (chain.contains(source) && !source.equals(profile)) {
            throw new CredentialsException(
                    "the profiles " + String.join(", ", chain.subList(chain.indexOf(source), chain.size()))
                            + " name each other as source_profile in a circle; one of them needs keys of its own");
        }
        return keysOf(source, chain);
    }

    private static ProfileKeys ofPlace(String profile, String place) throws CredentialsException {
        return switch (place) {
            case "Environment" -> new ProfileKeys.OfEnvironment();
            case "Ec2InstanceMetadata", "EcsContainer" ->
                throw new CredentialsException("profile " + profile + " takes the keys for its role from " + place
                        + ", which is not supported; use source_profile, credential_source = Environment or"
                        + " web_identity_token_file");
            default ->
                throw new CredentialsException(
                        "credential_source of profile " + profile + " is not known; it must be Environment");
        };
    }

    private Map<String, String> settings(String profile, List<String> users) throws CredentialsException {
        Map<String, String> merged = new HashMap<>();
        boolean isFound = false;
        for (ProfileFile file : byRank) {
            Map<String, String> section = file.section(profile);
            if (section != null) {
                merged.putAll(section);
                isFound = true;
            }
        }
        if (!isFound) {
            throw new CredentialsException("there is no profile " + profile + " in " + files
                    + (users.isEmpty() ? "" : ", which profile " + users.getLast() + " names as source_profile"));
        }
        return merged;
    }
}
