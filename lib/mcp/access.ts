/** Secrets by reference only. */
import { z } from "zod";
import { secretReferenceSchema } from "@/lib/secrets/reference";

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const OWN_HEADER =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|keep-alive|expect|accept|accept-encoding|origin|referer|forwarded|x-forwarded-.*|proxy-.*|sec-.*|mcp-.*|last-event-id|user-agent|date|via)$/i;
const HOLDS_SECRET = /auth|key|token|secret|password|cookie|credential|session/i;
/** Printable ASCII. */
const PRINTABLE = /^[\x20-\x7e]*$/;

const headerValueSchema = z.union([
  /** Optional scheme such as `Bearer `. */
  z.strictObject({
    ...secretReferenceSchema.shape,
    prefix: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]{0,19} $/, "Enter a scheme followed by one space.")
      .exactOptional(),
  }),
  z.strictObject({ value: z.string().min(1).max(1_000).regex(PRINTABLE, "Use printable ASCII only.") }),
]);

export const isSecretHeader = (name: string): boolean => HOLDS_SECRET.test(name);

export const isOwnHeader = (name: string): boolean => !HEADER_NAME.test(name) || OWN_HEADER.test(name);

export const mcpHeadersSchema = z.record(z.string().max(100), headerValueSchema).superRefine((headers, context) => {
  const names = Object.keys(headers);
  if (names.length > 20) context.addIssue({ code: "custom", message: "At most 20 headers." });
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    context.addIssue({ code: "custom", message: "Each header can be set only once." });
  for (const name of names) {
    if (isOwnHeader(name)) context.addIssue({ code: "custom", message: `The header ${name} can't be set.`, path: [name] });
    else if (isSecretHeader(name) && "value" in (headers[name] ?? {}))
      context.addIssue({ code: "custom", message: `Store ${name} as a secret.`, path: [name] });
  }
});
export type McpHeaders = z.infer<typeof mcpHeadersSchema>;

export const mcpAuthSchema = z.strictObject({
  type: z.literal("client_credentials"),
  /** `issuer`: RFC 8414 metadata, never the MCP server's. */
  find: z.enum(["token_url", "issuer"]),
  url: z
    .string()
    .max(2_000)
    .regex(/^https?:\/\//, "Enter an https address."),
  client_id: z.string().min(1).max(500).regex(PRINTABLE, "Use printable ASCII only."),
  client_secret: secretReferenceSchema,
  /** Authorization header, or form body. */
  send: z.enum(["basic", "body"]),
  scope: z.string().max(500).regex(PRINTABLE, "Use printable ASCII only.").nullable(),
});
export type McpAuth = z.infer<typeof mcpAuthSchema>;

export type McpAccess = { readonly headers: McpHeaders; readonly auth: McpAuth | null };
export const NO_ACCESS: McpAccess = { headers: {}, auth: null };

const hasAuthorization = (headers: McpHeaders): boolean => Object.keys(headers).some((name) => name.toLowerCase() === "authorization");

export const mcpAccessSchema = z
  .strictObject({ headers: mcpHeadersSchema, auth: mcpAuthSchema.nullable() })
  .refine(({ headers, auth }) => auth === null || !hasAuthorization(headers), "OAuth sets the Authorization header. Remove the header.");

export const listAccessSecrets = ({ headers, auth }: McpAccess): readonly string[] => [
  ...Object.values(headers).flatMap((value) => ("secret" in value ? [value.secret] : [])),
  ...(auth ? [auth.client_secret.secret] : []),
];
