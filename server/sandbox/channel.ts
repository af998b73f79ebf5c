/** Descriptor of our programs' channel to their parent; 3 is the launcher's. */
export const CHANNEL_FD = 4;

/** Of a tool host to the broker of containers. */
export const BROKER_FD = 5;
