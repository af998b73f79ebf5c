"use client";

import { useMutation } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import type { Role } from "@/lib/roles";
import { Avatar } from "@/components/account/avatar";
import { ROLE_TEXTS } from "@/components/account/role-texts";
import { enter, SIGN_IN_PROBLEMS, signInWith, type SignInProblem } from "@/components/account/sign-in-with";

export type DemoAccount = { readonly name: string; readonly role: Role; readonly second: boolean };

/** Second accounts, for decisions by two people; the second viewer has the auditor add-on. */
const SECOND_TEXTS: Readonly<Partial<Record<Role, string>>> = {
  viewer: "Reveals hidden values one at a time, on record, and exports the trust log.",
  builder: "Approves versions that the first builder can't publish alone.",
  reviewer: "Decides requests that the first reviewer edited.",
};

const nameOf = ({ role, second }: DemoAccount): string => {
  if (!second) return role;

  return role === "viewer" ? "auditor" : `second ${role}`;
};

const ORDER = ["admin", "builder", "reviewer", "viewer"] as const satisfies readonly Role[];

const byRole = (accounts: readonly DemoAccount[]): readonly DemoAccount[] =>
  ORDER.flatMap((role) => accounts.filter((account) => account.role === role));

const Accounts = ({ accounts }: { readonly accounts: readonly DemoAccount[] }) => {
  const [chosen, setChosen] = useState<string | null>(null);
  const [problem, setProblem] = useState<SignInProblem | null>(null);
  const choose = async ({ name, role, second }: DemoAccount) => {
    setChosen(name);
    const found = await signInWith("demo", { role, second: String(second) });
    if (found === null) enter();
    else {
      setProblem(found);
      setChosen(null);
    }
  };

  return (
    <>
      {problem ? <Callout kind="refused" alert title={SIGN_IN_PROBLEMS[problem].title} className="mb-2" /> : null}
      <ul className="divide-y overflow-hidden rounded-md border bg-surface">
        {byRole(accounts).map((account) => (
          <li key={account.name}>
            <button
              type="button"
              aria-busy={chosen === account.name}
              aria-disabled={chosen !== null}
              onClick={() => {
                if (chosen === null) void choose(account);
              }}
              className="group flex w-full items-center gap-3 px-3 py-2 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2"
            >
              <Avatar name={account.name} />
              <span className="min-w-0 flex-1">
                <span className="block text-sm font-medium">
                  {chosen === account.name ? "Signing in…" : `Continue as ${nameOf(account)}`}
                </span>
                <span className="block text-xs text-muted">
                  {(account.second ? SECOND_TEXTS[account.role] : undefined) ?? ROLE_TEXTS[account.role]}
                </span>
              </span>
              <ArrowRight aria-hidden className="size-4 shrink-0 text-faint transition-colors group-hover:text-accent" />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
};

const OpenDemo = ({ isMainWay }: { readonly isMainWay: boolean }) => {
  const router = useRouter();
  const open = useMutation(useTRPC().setup.createDemo.mutationOptions({ onSuccess: () => router.refresh() }));
  const error = open.error ? toApiError(open.error) : null;

  return (
    <div className="flex flex-col gap-3">
      {error ? (
        <Callout kind="refused" alert title={error.message}>
          {error.requestId ? <span className="font-mono text-xs">Request {error.requestId}</span> : null}
        </Callout>
      ) : null}
      <Button
        variant={isMainWay ? "primary" : "secondary"}
        size="lg"
        pending={open.isPending || open.isSuccess ? "Preparing the demo…" : null}
        onClick={() => open.mutate()}
      >
        Open demo workspace
      </Button>
    </div>
  );
};

type Props = {
  readonly accounts: readonly DemoAccount[];
  /** No real accounts exist yet. */
  readonly isMainWay: boolean;
};

/** Demo workspace, on this machine only. */
export const DemoPanel = ({ accounts, isMainWay }: Props) => (
  <section aria-labelledby="demo" className="flex flex-col gap-4">
    <div>
      <h2 id="demo" className="text-base font-semibold">
        Try the demo
      </h2>
      <p className="mt-1 text-sm text-muted">
        {accounts.length === 0
          ? "The demo workspace has a support desk under attack, accounts without passwords, and a scripted model. It needs no key and no network, and works on this machine only."
          : "The demo workspace is open on this machine. Choose a role to explore as."}
      </p>
    </div>
    {accounts.length === 0 ? <OpenDemo isMainWay={isMainWay} /> : <Accounts accounts={accounts} />}
  </section>
);
