/** A transcript as people read it: the response's lines as lines, and a tool's event a line. */

/** The text of a transcript in JSON; the JSON itself where it is none. */
export function answerText(transcript: string): string {
  try {
    const { response, telemetry } = JSON.parse(transcript) as { response?: unknown; telemetry?: unknown };
    if (typeof response !== 'string') {
      return transcript;
    }
    const events = Array.isArray(telemetry) ? telemetry.map((event) => JSON.stringify(event)) : [];
    return [response, ...(events.length === 0 ? [] : ['', '── telemetry ──', ...events]), ''].join('\n');
  } catch {
    return transcript;
  }
}
