"use client";

import { Plus } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { useCanvas, useDocument } from "@/components/canvas/state/canvas-context";
import { canvasParams } from "@/components/canvas/state/use-canvas-url";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { memoryKeySchema } from "@/lib/graph/document";
import { generateId } from "@/lib/graph/edit-nodes";
import { MemoryKeyForm } from "./memory-key-form";

/** Declared memory keys; only these can be written. */
export const MemoryPanel = () => {
  const { memory } = useDocument();
  const edit = useCanvas((state) => state.edit);
  const [{ key: asked }] = useQueryStates(canvasParams);
  const [openIndex, setOpenIndex] = useState<number | null>(() => {
    const index = memory.findIndex(({ key }) => key === asked);

    return index === -1 ? null : index;
  });
  const add = () => {
    const key = generateId("key", new Set(memory.map((item) => item.key)));
    edit([{ op: "set_memory_key", key: memoryKeySchema.parse({ key, schema: { type: "string" } }) }]);
    setOpenIndex(memory.length);
  };

  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-muted">Only declared keys can be written.</p>
      <ul className="divide-y rounded-md border">
        {memory.map((item, index) => (
          // Keys can be renamed while open.
          <li key={index}>
            <button
              type="button"
              aria-expanded={openIndex === index}
              className="flex w-full items-center gap-2 px-2 py-1.5 text-left hover:bg-hover"
              onClick={() => setOpenIndex(openIndex === index ? null : index)}
            >
              <span className="min-w-0 flex-1 truncate font-mono text-xs">{item.key}</span>
              {item.protected ? <Badge>protected</Badge> : null}
              {item.min_integrity === "untrusted" ? null : <Badge>{item.min_integrity}</Badge>}
              <Badge>{item.classification}</Badge>
            </button>
            {openIndex === index ? <MemoryKeyForm memoryKey={item} onRemoved={() => setOpenIndex(null)} /> : null}
          </li>
        ))}
      </ul>
      <Button size="sm" className="self-start" onClick={add}>
        <Plus aria-hidden /> Declare a key
      </Button>
    </div>
  );
};
