package s3csi.s3.credentials;

import java.util.Map;

/** Keys of a role that somebody with keys of their own may assume. */
final class AssumedRoleCredentials implements CredentialsSource {
    private final Role role;
    private final CredentialsSource signer;
    private final TokenServices services;

    /**
     * A role.
     *
     * @param signer in whose name the role is asked for
     */
    AssumedRoleCredentials(Role role, CredentialsSource signer, TokenServices services) {
        this.role = role;
        this.signer = signer;
        this.services = services;
    }

    @Override
    public Credentials current() throws CredentialsException {
        TokenService service = services.in(role.region());
        Credentials.Keys keys = keysOfSigner();
        TokenService.Answer answer = ask(service, keys);
        if (answer instanceof TokenService.Answer.Refused) {
            // Perhaps it is not the role that is refused: the signer's keys may have been withdrawn before their time.
            signer.rejected(keys);
            Credentials.Keys others = keysOfSigner();
            answer = others.equals(keys) ? answer : ask(service, others);
        }
        return switch (answer) {
            case TokenService.Answer.Granted(Credentials.Keys granted) -> granted;
            case TokenService.Answer.Refused(String reason) ->
                throw new CredentialsException(service + " refuses role " + role.arn() + " to " + keys.accessKeyId()
                        + ": " + reason + "; check the role's trust policy, and external_id if it asks for one"
                        + TokenService.advice());
        };
    }

    private TokenService.Answer ask(TokenService service, Credentials.Keys keys) throws CredentialsException {
        Map<String, String> parameters = role.parameters();
        if (role.externalId() != null) {
            parameters.put("ExternalId", role.externalId());
        }
        return service.ask("AssumeRole", parameters, keys);
    }

    private Credentials.Keys keysOfSigner() throws CredentialsException {
        return switch (signer.current()) {
            case Credentials.Keys keys -> keys;
            case Credentials.Anonymous _ ->
                throw new CredentialsException("role " + role.arn()
                        + " cannot be assumed without keys; give the profile that it is assumed from keys of its own");
        };
    }

    @Override
    public String toString() {
        return services.nameIn(role.region()) + " for role " + role.arn();
    }
}
