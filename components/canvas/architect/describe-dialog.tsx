"use client";

import { useMutation } from "@tanstack/react-query";
import { WandSparkles } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { WishForm } from "./wish-form";

export const DescribeDialog = ({ disabledReason }: { readonly disabledReason: string | null }) => {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const draft = useMutation(useTRPC().architect.draft.mutationOptions({ onSuccess: ({ id }) => router.push(`/graphs/architect/${id}`) }));

  return (
    <>
      <Button disabledReason={disabledReason} onClick={() => setIsOpen(true)}>
        <WandSparkles aria-hidden /> Describe a workflow
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title="Describe a workflow"
        description="A model drafts the graph. You review it before it becomes a draft."
        size="lg"
      >
        <WishForm
          label="What should it do?"
          placeholder="Summarise pages and publish after approval"
          submitLabel="Generate graph"
          pending={draft.isPending || draft.isSuccess}
          error={draft.error}
          onSubmit={(wish) => draft.mutate(wish)}
        />
      </Dialog>
    </>
  );
};
