/**
 * How a registered MCP server is reached. There is no command here: a stdio server is something that was reviewed, named by
 * its digest, and always runs under our own Node with a fixed argument list.
 */
import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { launchArgumentSchema, launchEnvironmentSchema, launchFileSchema, isProgram, runsOtherPrograms } from "./launch";

const HTTP_URL = /^https?:\/\//;
const PACKAGE_NAME = /^(?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/;
/** One exact version: no range, no tag. */
const EXACT_VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z-.]{1,64})?$/;
const BIN_NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,127}$/;

const http = { type: z.literal("http"), url: z.string().max(2_000).regex(HTTP_URL, "Enter an http or https address.") };

/** What every server that we start is given beside its code. */
const given = { args: z.array(launchArgumentSchema).max(32), env: launchEnvironmentSchema.exactOptional() };

const packageManifest = {
  source: z.literal("package"),
  name: z
    .string()
    .max(214)
    .regex(PACKAGE_NAME, "Enter the name of an installed npm package.")
    .refine((name) => !runsOtherPrograms(name), "This package runs other programs: what they are could not be reviewed."),
  version: z.string().regex(EXACT_VERSION, "Enter one exact version, such as 1.2.3."),
  /** A name out of the package's own `bin`. */
  bin: z
    .string()
    .regex(BIN_NAME, "Enter one of the package's bin names.")
    .refine((name) => !isProgram(name), "This program runs others: what they are could not be reviewed."),
  ...given,
};
const bundledManifest = { source: z.literal("bundled"), id: z.enum(["customers", "expenses", "library", "rug-pull", "shop"]) };
const fileManifest = {
  source: z.literal("file"),
  path: launchFileSchema,
  ...given,
};

export const stdioManifestSchema = z.discriminatedUnion("source", [
  z.strictObject({ ...packageManifest, tree_digest: hexDigestSchema }),
  z.strictObject({ ...bundledManifest, file_digest: hexDigestSchema }),
  z.strictObject({ ...fileManifest, file_digest: hexDigestSchema }),
]);
export type StdioManifest = z.infer<typeof stdioManifestSchema>;

export const mcpTransportSchema = z.discriminatedUnion("type", [
  z.strictObject(http),
  z.strictObject({ type: z.literal("stdio"), manifest: stdioManifestSchema }),
]);
export type McpTransport = z.infer<typeof mcpTransportSchema>;

/** What a person enters; the digest of what is installed is taken by the runner. */
export const manifestDraftSchema = z.discriminatedUnion("source", [
  z.strictObject(packageManifest),
  z.strictObject(bundledManifest),
  z.strictObject(fileManifest),
]);
export type ManifestDraft = z.infer<typeof manifestDraftSchema>;

export const transportDraftSchema = z.discriminatedUnion("type", [
  z.strictObject(http),
  z.strictObject({ type: z.literal("stdio"), manifest: manifestDraftSchema }),
]);
export type TransportDraft = z.infer<typeof transportDraftSchema>;
