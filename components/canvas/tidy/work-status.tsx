"use client";

import { useCanvasView } from "@/components/canvas/state/canvas-view";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";

/** Background work; its live region always exists, so changes are announced. */
export const WorkStatus = () => {
  const work = useCanvasView((view) => view.work);

  return (
    <output className="pointer-events-none absolute inset-x-0 bottom-4 z-10 flex justify-center">
      {work ? (
        <div className="pointer-events-auto flex items-center gap-3 rounded-lg bg-surface py-1.5 pr-1.5 pl-3 text-sm shadow-float">
          <Spinner />
          {work.word}
          <Button size="sm" onClick={work.cancel}>
            Cancel
          </Button>
        </div>
      ) : null}
    </output>
  );
};
