"use client";

import { useQuery } from "@tanstack/react-query";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { useTRPC } from "@/components/trpc/trpc";
import { Select } from "@/components/ui/select";
import { DRAFT } from "./sides";

type Props = { readonly label: string; readonly value: string; readonly onChange: (side: string) => void };

export const SideSelect = ({ label, value, onChange }: Props) => {
  const id = useCanvas((state) => state.graphId);
  const versions = useQuery(useTRPC().graphs.versions.queryOptions({ id }));
  const items = [
    { value: DRAFT, label: "Draft" },
    ...(versions.data ?? []).map(({ hash, number }) => ({ value: hash, label: `Version ${number}` })),
  ];

  return <Select aria-label={label} className="w-36" items={items} value={value} onValueChange={onChange} />;
};
