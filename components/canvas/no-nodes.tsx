import { Plus } from "lucide-react";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

export const NoNodes = ({ onAdd }: { readonly onAdd: () => void }) => {
  const readOnly = useCanvas((state) => state.readOnly);

  return (
    <EmptyState
      kind="nothing_yet"
      title="No nodes yet"
      action={
        <Button disabledReason={readOnly} onClick={onAdd} className="pointer-events-auto">
          <Plus aria-hidden /> Add a node
        </Button>
      }
    >
      The run starts at the first one.
    </EmptyState>
  );
};
