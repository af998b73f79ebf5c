"use client";

import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import { explainDenial, type Permission, type Role } from "@/lib/roles";

type Action = { readonly label: string; readonly href: string; readonly permission: Permission };

/** Actions of other pages, for the palette. */
const ACTIONS: readonly Action[] = [
  { label: "New graph", href: "/graphs?new=graph", permission: "graph.edit" },
  { label: "New graph from template", href: "/graphs?new=template", permission: "graph.edit" },
  { label: "Start a run", href: "/runs?start=true", permission: "run.start" },
  { label: "Open a bundle", href: "/runs/import", permission: "run.read" },
  { label: "Verify the workspace", href: "/ledger", permission: "run.read" },
  { label: "Add an MCP server", href: "/admin/mcp", permission: "mcp.manage" },
  { label: "Add a model", href: "/admin/models", permission: "model.manage" },
  { label: "Invite a person", href: "/admin/people", permission: "people.manage" },
];

/** Registers actions without keys, by name. */
export const useActionCommands = (role: Role): void => {
  const router = useRouter();
  const commands = useMemo(
    () =>
      ACTIONS.map(({ label, href, permission }) => ({
        keys: [],
        label,
        group: "Actions",
        whyNot: () => explainDenial(role, permission),
        run: () => router.push(href),
      })),
    [router, role],
  );
  useShortcuts(commands);
};
