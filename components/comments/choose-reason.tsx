"use client";

import { Select } from "@/components/ui/select";
import { addReason } from "@/lib/reason-templates";

type Props = { readonly reasons: readonly string[]; readonly text: string; readonly onChoose: (text: string) => void };

export const ChooseReason = ({ reasons, text, onChoose }: Props) =>
  reasons.length === 0 ? null : (
    <Select
      aria-label="Choose a reason"
      placeholder="Choose a reason"
      items={reasons.map((value) => ({ value, label: value }))}
      value={null}
      onValueChange={(reason) => onChoose(addReason(text, reason))}
      className="w-full min-w-0"
    />
  );
