import {
  Boxes,
  ChartColumn,
  Cpu,
  House,
  Layers,
  Lightbulb,
  ScrollText,
  Inbox,
  ListTree,
  Plug,
  Scale,
  Settings,
  ShieldCheck,
  Stethoscope,
  Users,
  Webhook,
  Workflow,
  type LucideIcon,
} from "lucide-react";
import type { Permission } from "@/lib/roles";

export type Destination = {
  readonly href:
    | "/"
    | "/graphs"
    | "/runs"
    | "/approvals"
    | "/facts"
    | "/ledger"
    | "/usage"
    | "/connect"
    | "/audit/trust"
    | "/admin/checks"
    | "/admin/environments"
    | "/admin/mcp"
    | "/admin/models"
    | "/admin/people"
    | "/admin/rules"
    | "/admin/webhooks"
    | "/settings";
  readonly label: string;
  readonly icon: LucideIcon;
  readonly key: string;
  readonly permission: Permission | null;
};

export const DESTINATIONS: readonly Destination[] = [
  { href: "/", label: "Home", icon: House, key: "h", permission: null },
  { href: "/graphs", label: "Graphs", icon: Workflow, key: "g", permission: "graph.read" },
  { href: "/runs", label: "Runs", icon: ListTree, key: "r", permission: "run.read" },
  { href: "/approvals", label: "Approvals", icon: Inbox, key: "a", permission: "approval.read" },
  { href: "/facts", label: "Facts", icon: Lightbulb, key: "f", permission: "run.read" },
  { href: "/ledger", label: "Ledger", icon: ScrollText, key: "l", permission: "run.read" },
  { href: "/usage", label: "Usage", icon: ChartColumn, key: "v", permission: "run.read" },
  { href: "/connect", label: "Outside agents", icon: Plug, key: "o", permission: "connect.read" },
  { href: "/audit/trust", label: "Trust log", icon: ShieldCheck, key: "t", permission: "trust.read" },
  { href: "/admin/mcp", label: "MCP servers", icon: Boxes, key: "m", permission: "mcp.read" },
  { href: "/admin/models", label: "Models", icon: Cpu, key: "d", permission: "model.read" },
  { href: "/admin/people", label: "People", icon: Users, key: "p", permission: "people.read" },
  { href: "/admin/environments", label: "Environments", icon: Layers, key: "e", permission: "graph.read" },
  { href: "/admin/rules", label: "Approval rules", icon: Scale, key: "u", permission: "approval.read" },
  { href: "/admin/webhooks", label: "Webhooks", icon: Webhook, key: "w", permission: "webhook.read" },
  { href: "/admin/checks", label: "Checks", icon: Stethoscope, key: "c", permission: "installation.read" },
  { href: "/settings", label: "Settings", icon: Settings, key: "s", permission: null },
];
