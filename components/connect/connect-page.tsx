"use client";

import Link from "next/link";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { buttonStyle } from "@/components/ui/button-style";
import { Page } from "@/components/ui/page";
import { Tabs } from "@/components/ui/tabs";
import { explainDenial, type Role } from "@/lib/roles";
import { Endpoints } from "./endpoints";
import { ForkTable } from "./fork-table";
import { NewToken } from "./new-token";
import { SessionTable } from "./session-table";
import { TokenTable } from "./token-table";

const SHOWN = ["connect", "tokens", "sessions", "forks"] as const;

export const ConnectPage = ({ role }: { readonly role: Role }) => {
  const [shown, setShown] = useQueryState("show", parseAsStringLiteral(SHOWN).withDefault("connect"));

  return (
    <Page
      title="Outside agents"
      description="Agents drive a graph over MCP, one legal step at a time. They never hold the state."
      access={{ to: "outside agents", who: explainDenial(role, "connect.read") }}
      isFlush
      actions={
        <>
          <Link href="/connect/console" className={buttonStyle({ variant: "secondary" })}>
            Agent console
          </Link>
          <NewToken role={role} holder="account" />
          <NewToken role={role} holder="agent" />
        </>
      }
    >
      <Tabs
        aria-label="Outside agents"
        className="px-6 py-2"
        panelClassName="pt-4"
        value={shown}
        onValueChange={(next) => void setShown(next)}
        tabs={[
          { value: "connect", label: "Connect your agent", panel: <Endpoints /> },
          { value: "tokens", label: "Tokens", panel: <TokenTable role={role} /> },
          { value: "sessions", label: "Sessions", panel: <SessionTable role={role} /> },
          { value: "forks", label: "Forks", panel: <ForkTable /> },
        ]}
      />
    </Page>
  );
};
