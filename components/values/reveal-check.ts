import { computeCommitment, type HexDigest } from "@/lib/hash";
import { isJsonObject, type Json } from "@/lib/json";
import { computeArgumentsDigest } from "@/lib/engine/ledger/transition";

const SALT = /^[0-9a-f]{64}$/u;

/** Returns whether value and salt match. @param salt 32 bytes as hex */
export const opensCommitment = (opened: { readonly salt: string; readonly value: Json }, commitment: HexDigest): boolean =>
  SALT.test(opened.salt) && computeCommitment(opened.salt, opened.value) === commitment;

type Opened = { readonly salt: string; readonly value: Json };

export type RevealCheck = {
  readonly digest: HexDigest;
  readonly label: string;
  readonly namedBy: string;
  readonly yes: string;
  readonly no: string;
  readonly holds: (opened: Opened) => boolean;
};

/** @param namedBy "the transition" */
export const createCommitmentCheck = (digest: HexDigest, namedBy: string): RevealCheck => ({
  digest,
  label: "commitment",
  namedBy,
  yes: "Matches the commitment",
  no: "Doesn't match the commitment: this is not the value that was recorded",
  holds: (opened) => opensCommitment(opened, digest),
});

/** Checks arguments against the signed digest. */
export const createArgumentsCheck = (digest: HexDigest): RevealCheck => ({
  digest,
  label: "digest of the arguments",
  namedBy: "the transition",
  yes: "Arguments match the signed ones",
  no: "Arguments don't match the signed ones",
  holds: ({ value }) => isJsonObject(value) && value["arguments"] !== undefined && computeArgumentsDigest(value["arguments"]) === digest,
});
