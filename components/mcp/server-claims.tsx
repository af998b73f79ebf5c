import type { ToolDefinition } from "@/lib/mcp/definition";

const CLAIMS = {
  readOnlyHint: "only reads",
  destructiveHint: "may destroy",
  idempotentHint: "safe to repeat",
  openWorldHint: "reaches the outside",
} as const;

const textOf = (claim: unknown): string => (claim === true ? "yes" : claim === false ? "no" : "says nothing");

/** What the server says about its tool. It changes nothing: our labels decide. */
export const ServerClaims = ({ definition }: { readonly definition: ToolDefinition | null }) => (
  <section aria-label="The server's claims" className="rounded-md border p-3">
    <h4 className="text-sm font-medium">The server claims</h4>
    <p className="mb-2 text-xs text-muted">Not believed: its claims lower nothing.</p>
    <dl className="grid grid-cols-[1fr_auto] gap-y-1 text-sm">
      {Object.entries(CLAIMS).map(([name, label]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd>{textOf(definition?.annotations?.[name])}</dd>
        </div>
      ))}
    </dl>
  </section>
);
