"use client";

import { EmptyState } from "@/components/ui/empty-state";
import { Page } from "@/components/ui/page";
import { explainDenial, type Role } from "@/lib/roles";
import { ConsentForm, type AskedConsent } from "./consent-form";

type Props = { readonly role: Role; readonly person: string; readonly asked: AskedConsent | null };

export const ConsentPage = ({ role, person, asked }: Props) => (
  <Page title="Connect a client" access={{ to: "connecting clients", who: explainDenial(role, "connect.manage") }}>
    {asked ? (
      <ConsentForm role={role} person={person} {...asked} />
    ) : (
      <EmptyState kind="nothing_yet" title="Nothing to allow">
        A client sends you here when you connect it to a graph. Its request is over, its registration can&apos;t be read, or it is for
        another workspace or for a graph that outside agents don&apos;t drive. Start again from the client.
      </EmptyState>
    )}
  </Page>
);
