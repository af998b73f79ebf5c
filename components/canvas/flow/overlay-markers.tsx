import { STROKES } from "./decoration-look";

export const OverlayMarkers = () => (
  <svg aria-hidden className="absolute size-0">
    <defs>
      {Object.entries(STROKES).map(([tone, { stroke }]) => (
        <marker
          key={tone}
          id={`overlay-${tone}`}
          viewBox="-10 -10 20 20"
          markerWidth="16"
          markerHeight="16"
          markerUnits="userSpaceOnUse"
          orient="auto-start-reverse"
          refX="0"
          refY="0"
        >
          <polyline points="-5,-4 0,0 -5,4 -5,-4" fill={stroke} stroke={stroke} strokeLinecap="round" strokeLinejoin="round" />
        </marker>
      ))}
    </defs>
  </svg>
);
