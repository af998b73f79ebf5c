import type { Outputs } from "@/components/trpc/outputs";
import type { ListedInvite, ListedMember } from "@/server/store/people/members";
import type { MarkKind } from "@/components/ui/marks/marks";

export type ShownMember = Outputs["people"]["list"]["members"][number];

const SIGNS_IN_BY = {
  password: "password",
  provider: "identity provider",
  demo: "demo (no password)",
  nothing: "not set up",
} as const satisfies Record<ListedMember["signsInBy"], string>;

export const describeSignIn = ({ signsInBy: way, identity }: Pick<ListedMember, "signsInBy" | "identity">): string =>
  way === "password" && identity !== null ? "password, identity provider" : SIGNS_IN_BY[way];

export const INVITE_STATUS = {
  open: { kind: "waiting", label: "Open" },
  used: { kind: "clean", label: "Used" },
  withdrawn: { kind: "hidden", label: "Withdrawn" },
  expired: { kind: "hidden", label: "Expired" },
} as const satisfies Record<ListedInvite["status"], { kind: MarkKind; label: string }>;

export const AUDITOR_TEXT = "Auditor add-on: reveal hidden values and export everything, each time with a recorded reason.";
