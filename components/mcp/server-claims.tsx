import type { ToolDefinition } from "@/lib/mcp/definition";

const CLAIMS = {
  readOnlyHint: "Read-only",
  destructiveHint: "Destructive",
  idempotentHint: "Idempotent",
  openWorldHint: "Open world",
} as const;

const textOf = (claim: unknown): string => (claim === true ? "yes" : claim === false ? "no" : "not stated");

/** Server annotations, which have no effect. */
export const ServerClaims = ({ definition }: { readonly definition: ToolDefinition | null }) => (
  <section aria-label="Server claims" className="rounded-md border p-3">
    <h4 className="text-sm font-medium">Server claims</h4>
    <p className="mb-2 text-xs text-muted">Not trusted: claims never lower our labels.</p>
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
