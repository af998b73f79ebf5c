/** Detects forms that ask for secrets; prefers false positives. */
import type { InputQuestion } from "@/lib/engine/approvals/tool-input";
import { toSkeleton } from "@/lib/sanitize/skeleton";

/** Matched inside words too. */
const ANYWHERE = [
  "password",
  "passwd",
  "passwort",
  "passphrase",
  "passcode",
  "secret",
  "credential",
  "api key",
  "access key",
  "private key",
  "signing key",
  "ssh key",
  "access token",
  "refresh token",
  "auth token",
  "bearer token",
  "session token",
  "security token",
  "seed phrase",
  "recovery phrase",
  "recovery code",
  "backup code",
  "one time code",
  "verification code",
  "authentication code",
  "security code",
  "card number",
  "social security",
] as const;

/** Ambiguous, so matched in names and titles only. */
const IN_NAMES = ["token", "pin", "pwd", "otp", "totp", "mfa", "2fa", "cvv", "cvc", "ssn", "jwt", "cookie", "mnemonic"] as const;

/** Letters as they look: `p\u0430ss_w\u200bord` and `pass word` are equal. */
const wordsOf = (text: string): readonly string[] =>
  toSkeleton(
    text
      .normalize("NFKC")
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
      .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
      .toLowerCase(),
  )
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

const joined = (text: string): string => wordsOf(text).join("");

const FORBIDDEN_ANYWHERE = ANYWHERE.map(joined);
const FORBIDDEN_NAMES = new Set(IN_NAMES.map(joined));

const isAnywhere = (text: string): boolean => {
  const packed = joined(text);

  return FORBIDDEN_ANYWHERE.some((word) => packed.includes(word));
};

const isName = (text: string): boolean =>
  wordsOf(text).some((word) => FORBIDDEN_NAMES.has(word) || FORBIDDEN_NAMES.has(word.replace(/s$/u, "")));

/** Returns whether any instruction asks for a secret. */
export const asksForSecret = ({ message, fields }: InputQuestion): boolean =>
  isAnywhere(message) ||
  fields.some(({ name, title = "", description = "" }) => [name, title, description].some(isAnywhere) || [name, title].some(isName));
