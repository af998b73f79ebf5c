"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { RevokeToken } from "@/components/account/revoke-token";
import { ShownToken } from "@/components/account/shown-token";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { DialogButton } from "@/components/ui/dialog-button";
import { ListTable, timeColumn, type Column } from "@/components/ui/list-table";
import { QueryState } from "@/components/ui/query-state";
import { MOST_PERSONAL } from "@/lib/engine/principal";
import { explainDenial, type Role } from "@/lib/roles";
import { PersonalTokenForm } from "./personal-token-form";

type Token = Outputs["connect"]["personal"]["list"][number];

const COLUMNS: readonly Column<Token>[] = [
  {
    name: "Name",
    cell: ({ name, hint }) => (
      <>
        <span className="font-medium">{name}</span>
        <span className="ml-2 font-mono text-xs text-muted">{hint}…</span>
      </>
    ),
  },
  { name: "Graphs", cell: ({ graphs }) => (graphs === null ? "All" : graphs.length) },
  timeColumn("Last used", ({ lastUsedAt }) => lastUsedAt, "Never"),
  timeColumn("Expires", ({ expiresAt }) => expiresAt),
];

const Revoke = ({ token: { id, name } }: { readonly token: Token }) => {
  const trpc = useTRPC();
  const revoke = useMutation(trpc.connect.personal.revoke.mutationOptions({ onSettled: useRefresh(trpc.connect.pathFilter()) }));

  return (
    <RevokeToken
      name={name}
      consequence="Its next call is refused."
      disabledReason={null}
      revoke={() => revoke.mutateAsync({ tokenId: id })}
    />
  );
};

const Shown = ({ tokens, role }: { readonly tokens: readonly Token[]; readonly role: Role }) => {
  const [made, setMade] = useState<string | null>(null);
  if (made !== null) return <ShownToken token={made} allows="decide as you" onDone={() => setMade(null)} />;

  return (
    <div className="flex flex-col items-start gap-3">
      <p className="max-w-prose text-sm text-muted">
        A program with a personal token decides approvals over the HTTP API as you, by the same rules. High-risk approvals need your passkey
        or the browser. Ending your sessions revokes all tokens.
      </p>
      {tokens.length === 0 ? null : (
        <div className="w-full">
          <ListTable
            label="Your personal tokens"
            columns={COLUMNS}
            rows={tokens}
            rowKey={({ id }) => id}
            renderActions={(token) => <Revoke token={token} />}
          />
        </div>
      )}
      <DialogButton
        label="New personal token…"
        disabledReason={
          explainDenial(role, "approval.decide") ??
          (tokens.length < MOST_PERSONAL ? null : `At most ${MOST_PERSONAL} tokens. Revoke one first.`)
        }
        title="New personal token"
        description="For a program that decides approvals in your name."
      >
        {(close) => <PersonalTokenForm onMade={setMade} onCancel={close} />}
      </DialogButton>
    </div>
  );
};

export const PersonalTokens = ({ role }: { readonly role: Role }) => (
  <QueryState query={useQuery(useTRPC().connect.personal.list.queryOptions())} what="your tokens" rows={1}>
    {(tokens) => <Shown tokens={tokens} role={role} />}
  </QueryState>
);
