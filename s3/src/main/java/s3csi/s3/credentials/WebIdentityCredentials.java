package s3csi.s3.credentials;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Keys from a token service in exchange for a token that the platform writes into a file, as Kubernetes does for service
 * accounts. The token is read anew each time, because it is short-lived too.
 */
final class WebIdentityCredentials implements CredentialsSource {
    private final Role role;
    private final Path tokenFile;
    private final TokenServices services;

    WebIdentityCredentials(Role role, Path tokenFile, TokenServices services) {
        this.role = role;
        this.tokenFile = tokenFile;
        this.services = services;
    }

    @Override
    public Credentials current() throws CredentialsException {
        TokenService service = services.in(role.region());
        Map<String, String> parameters = role.parameters();
        parameters.put("WebIdentityToken", token());
        return switch (service.ask("AssumeRoleWithWebIdentity", parameters, null)) {
            case TokenService.Answer.Granted(Credentials.Keys keys) -> keys;
            case TokenService.Answer.Refused(String reason) ->
                throw new CredentialsException(service + " refuses role " + role.arn() + ": " + reason
                        + "; check the role's trust policy and the token in " + tokenFile + TokenService.advice());
        };
    }

    private String token() throws CredentialsException {
        try {
            return Files.readString(tokenFile).strip();
        } catch (IOException e) {
            throw new CredentialsException(
                    "cannot read the web identity token in " + tokenFile
                            + "; check that the platform writes it there, and AWS_WEB_IDENTITY_TOKEN_FILE or"
                            + " web_identity_token_file of the profile",
                    e);
        }
    }

    @Override
    public String toString() {
        return services.nameIn(role.region()) + " for role " + role.arn();
    }
}
