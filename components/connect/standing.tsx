import { Mark } from "@/components/ui/marks/mark";
import type { MarkKind } from "@/components/ui/marks/marks";

const STANDINGS = {
  active: { kind: "clean", label: "Active" },
  expired: { kind: "hidden", label: "Expired" },
  revoked: { kind: "refused", label: "Revoked" },
} as const satisfies Record<string, { kind: MarkKind; label: string }>;

export const Standing = ({ status }: { readonly status: keyof typeof STANDINGS }) => (
  <Mark kind={STANDINGS[status].kind}>{STANDINGS[status].label}</Mark>
);
