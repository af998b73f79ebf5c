import type { ShownDirectory } from "./mapping-form";
import { CopyBlock } from "@/components/ui/copy-block";
import { EmptyState } from "@/components/ui/empty-state";
import { ListTable, MUTED, timeColumn, type Column } from "@/components/ui/list-table";
import { Mark } from "@/components/ui/marks/mark";
import { ConfirmToken, EndToken, MakeToken } from "./token-actions";

type Shown = ShownDirectory["provisioning"];
type Token = Shown["tokens"][number];
type Refused = Shown["refused"][number];
type Props = { readonly data: Shown; readonly reason: string | null };

const STATUS = {
  active: { kind: "clean", label: "Active" },
  waiting: { kind: "waiting", label: "Waits for a second admin" },
  expired: { kind: "hidden", label: "Expired" },
} as const;

const TOKENS: readonly Column<Token>[] = [
  { name: "Status", cell: ({ status }) => <Mark kind={STATUS[status].kind}>{STATUS[status].label}</Mark> },
  {
    name: "Created by",
    className: "whitespace-normal",
    cell: ({ byName, isMakerAdmin }) => (isMakerAdmin ? byName : `${byName}, no longer an admin: replace this token`),
  },
  timeColumn("Created", ({ madeAt }) => madeAt),
  timeColumn("Last change", ({ usedAt }) => usedAt, "none yet"),
  timeColumn("Expires", ({ expiresAt }) => expiresAt),
];

const REFUSED: readonly Column<Refused>[] = [
  timeColumn("When", ({ at }) => at),
  { name: "Change", className: MUTED, cell: ({ what }) => what },
  { name: "Of", className: "break-all whitespace-normal", cell: ({ name }) => name },
  { name: "Reason", className: "whitespace-normal", cell: ({ message }) => message },
];

const describeCounts = ({ people, groups }: Shown): string =>
  `${people} ${people === 1 ? "person" : "people"} and ${groups} ${groups === 1 ? "group" : "groups"} from the directory.`;

export const Provisioning = ({ data, reason }: Props) => (
  <section aria-labelledby="provisioning" className="flex w-full flex-col items-start gap-3 pt-2">
    <h2 id="provisioning" className="text-base font-medium">
      Provisioning (SCIM)
    </h2>
    <p className="max-w-prose text-sm text-muted">
      The identity provider creates and disables people here as it does there. The mapping above gives its groups their roles.{" "}
      {describeCounts(data)}
    </p>
    <CopyBlock label="SCIM address" text={data.address} />
    <div className="w-full">
      <ListTable
        label="SCIM tokens"
        columns={TOKENS}
        rows={data.tokens}
        rowKey={({ id }) => id}
        renderActions={(token) => (
          <>
            {token.status === "waiting" && !token.isOwn ? <ConfirmToken token={token.id} reason={reason} /> : null}
            <EndToken token={token.id} reason={reason} />
          </>
        )}
        empty={
          <EmptyState kind="nothing_yet" title="No SCIM tokens yet">
            Create one and enter it at the identity provider, with the address above.
          </EmptyState>
        }
      />
    </div>
    <MakeToken
      needsSecondAdmin={data.needsSecondAdmin}
      hasToken={data.tokens.length > 0}
      reason={reason ?? (data.isDemo ? "The demo has no SCIM tokens" : null)}
    />
    {data.refused.length === 0 ? null : (
      <div className="flex w-full flex-col gap-2">
        <h3 className="text-sm font-medium">Refused changes</h3>
        <ListTable label="Refused changes" columns={REFUSED} rows={data.refused} rowKey={({ seq }) => seq} />
      </div>
    )}
  </section>
);
