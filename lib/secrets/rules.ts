/** Credential patterns: a literal prefix and one bounded run, so matching is linear. Forms from gitleaks (MIT licence). */

export type SecretRule = {
  readonly name: string;
  readonly pattern: RegExp;
  /** Dashed words are no token. */
  readonly needsDigit?: true;
};

const WORD = String.raw`[\w-]`;

const after = (prefix: string, rest: string): RegExp => new RegExp(String.raw`(?<![\w-])(?:${prefix})${rest}`, "g");

export const SECRET_RULES: readonly SecretRule[] = [
  { name: "private key", pattern: /-----BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----[\w\s+/=:,.-]{0,20000}/g },
  { name: "age key", pattern: after("AGE-SECRET-KEY-1", "[0-9A-Z]{50,80}") },
  { name: "AWS key", pattern: after("AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9]", "[A-Z2-7]{16}(?![A-Za-z0-9])") },
  { name: "Amazon Bedrock key", pattern: after("ABSK", "[A-Za-z0-9+/]{60,300}={0,2}") },
  { name: "Amazon Bedrock key", pattern: after("bedrock-api-key-", "[A-Za-z0-9+/=]{16,2000}") },
  { name: "API key", pattern: after("sk-", `${WORD}{20,250}`), needsDigit: true },
  { name: "Stripe key", pattern: after("[spr]k_(?:live|test|prod)_", "[A-Za-z0-9]{10,250}") },
  { name: "Freemius key", pattern: /"sk_[^\s"]{29}"/g },
  { name: "Google key", pattern: after("AIza", `${WORD}{35}(?!${WORD})`) },
  { name: "Google token", pattern: after(String.raw`ya29\.`, `${WORD}{20,1000}`) },
  { name: "1Password token", pattern: after("ops_eyJ", "[A-Za-z0-9+/]{100,2000}={0,3}") },
  {
    name: "1Password key",
    pattern: after("A3-", "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}"),
  },
  { name: "GitHub token", pattern: after("gh[pousr]_", "[A-Za-z0-9]{30,255}") },
  { name: "GitHub token", pattern: after("github_pat_", String.raw`\w{40,255}`) },
  { name: "GitLab token", pattern: after("gl(?:pat|ptt|rt|cbt|dt|ft|ffct|imt|agent|oas|soat)-", String.raw`[\w.-]{20,300}`) },
  { name: "GitLab token", pattern: after("GR1348941", `${WORD}{20}`) },
  { name: "Slack token", pattern: after(String.raw`xox[a-z](?:\.xox[bp])?-`, `${WORD}{10,300}`), needsDigit: true },
  { name: "Slack token", pattern: /xapp-[\w-]{10,250}/gi, needsDigit: true },
  { name: "Slack webhook", pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w+/]{43,60}/g },
  { name: "Hugging Face token", pattern: after("hf_|api_org_", "[A-Za-z]{34}(?![A-Za-z])") },
  { name: "Vault token", pattern: after(String.raw`hv[sbr]\.`, `${WORD}{20,400}`) },
  { name: "Vault token", pattern: after(String.raw`s\.`, String.raw`[A-Za-z0-9]{24}(?!\w)`), needsDigit: true },
  { name: "Terraform token", pattern: after(String.raw`[A-Za-z0-9]{14}\.atlasv1\.`, `${WORD}{60,80}`) },
  { name: "npm token", pattern: after("npm_", "[A-Za-z0-9]{36}") },
  { name: "PyPI token", pattern: after("pypi-AgE", `${WORD}{40,1000}`) },
  { name: "DigitalOcean token", pattern: after("do[opr]_v1_", "[a-f0-9]{64}") },
  { name: "SendGrid key", pattern: after(String.raw`SG\.`, String.raw`[\w-]{16,30}\.[\w-]{16,60}`) },
  { name: "Shopify token", pattern: after("shp(?:at|ca|pa|ss)_", "[a-fA-F0-9]{32}") },
  { name: "Square token", pattern: after("sq0(?:atp|csp)-|EAAA", `${WORD}{22,60}`) },
  { name: "Facebook token", pattern: after("EAA[MC]", "[A-Za-z0-9]{100,400}") },
  { name: "Facebook token", pattern: after("[0-9]{15,16}", String.raw`(?:\||%7C)[\w-]{27,40}`) },
  { name: "Grafana token", pattern: after("glc_|glsa_", "[A-Za-z0-9+/_]{30,400}={0,3}") },
  { name: "Heroku key", pattern: after("HRKU-AA", `${WORD}{50,80}`) },
  { name: "Notion token", pattern: after("ntn_[0-9]{11}|secret_", "[A-Za-z0-9]{35,43}(?![A-Za-z0-9])") },
  { name: "Octopus key", pattern: after("API-", "[A-Z0-9]{26}(?![A-Z0-9])") },
  { name: "OpenShift token", pattern: after("sha256~", `${WORD}{43}`) },
  { name: "Perplexity key", pattern: after("pplx-", "[A-Za-z0-9]{40,60}") },
  { name: "Sentry token", pattern: after("sntry[su]_", String.raw`[\w+/=-]{40,400}`) },
  { name: "Sourcegraph token", pattern: after("sgp_", "(?:[A-Za-z0-9]{16}_|local_)?[a-fA-F0-9]{40}") },
  { name: "Databricks token", pattern: after("dapi", "[a-f0-9]{32}(?:-[0-9])?") },
  { name: "Fly token", pattern: after("fo1_|fm[12][ar]?_", String.raw`[\w+/=-]{43,600}`) },
  { name: "42 secret", pattern: after("s-s4t2(?:ud|af)-", "[a-f0-9]{64}") },
  { name: "Cloudflare key", pattern: after(String.raw`v1\.0-`, "[a-f0-9]{24}-[a-f0-9]{146}") },
  { name: "ClickHouse key", pattern: after("4b1d", "[A-Za-z0-9]{38}") },
  { name: "Infracost key", pattern: after("ico-", "[A-Za-z0-9]{32}") },
  { name: "MaxMind key", pattern: after("", "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk") },
  { name: "Scalingo token", pattern: after("tk-us-", `${WORD}{48}`) },
  { name: "Atlassian token", pattern: after("ATATT3", "[A-Za-z0-9_=-]{100,250}") },
  { name: "Azure secret", pattern: /[\w~.-]{3}[0-9]Q~[\w~.-]{31,34}/g },
  { name: "Linear key", pattern: after("lin_api_", "[A-Za-z0-9]{40}") },
  { name: "Pulumi token", pattern: after("pul-", "[a-f0-9]{40}") },
  { name: "JSON Web Token", pattern: after("eyJ", String.raw`[\w-]{14,2000}\.eyJ[\w/\\+-]{10,8000}(?:\.[\w/\\+=-]{0,2000})?`) },
  { name: "JSON Web Token", pattern: after("ZXlK", String.raw`[\w/+-]{60,4000}={0,2}`) },
];

/** Password in a URL. */
export const IN_ADDRESS = /(?<![\w])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/?#"'<>]{0,100}:([^\s@/?#"'<>]{3,200})@/gi;

/** Credential keyword, assignment, value. */
export const ASSIGNED =
  /(?:secret|token|passw(?:or)?d|pwd|passphrase|credential|api[ _.-]?key|access[ _.-]?key|private[ _.-]?key|license[ _.-]?key|_key|app[ _.-]?key|authorization|cookie|login|user_auth)[\w .-]{0,24}?["'`\]]{0,2}\s{0,5}(?:[:?]{0,3}=>?|[:,])\s{0,5}(?:bearer |basic |token |apikey |digest )?["'`=]{0,2}([^\s"'`,;<>(){}[\]]{8,300})/gi;

/** Member name whose whole text is a secret. */
export const SECRET_NAME =
  /secret|token|passw(?:or)?d|pwd|passphrase|credential|api[_-]?key|access[_-]?key|private[_-]?key|authorization|cookie/i;

/** Header or command-line argument. */
export const SENT =
  /(?:authorization\s{0,5}:|(?<!\w)bearer\s)\s{0,5}(?:bearer |basic |token |apikey )?\s{0,5}["']?([^\s"'`,;<>(){}[\]]{8,2000})/gi;

/** `curl -u name:password`. */
export const ON_COMMAND_LINE = /\bcurl\b[\s\S]{0,300}?\s(?:-u|--user)[\s=]{0,3}["']?[^\s"':]{0,100}:["']?([^\s"']{3,200})/g;
