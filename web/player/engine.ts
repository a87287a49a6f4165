// The engine in a live page (web/engine): answers an experiment document with what the player reads of its run, and with
// its run block. In a worker where the browser allows one, else in the page's thread.

/** One answer: JSON and the bytes of a run block, which may be empty. */
export interface Answer {
  readonly json: string;
  readonly block: Uint8Array;
}

export interface Engine {
  readonly ask: (experiment: string) => Promise<Answer>;
}

type Asked = (experiment: string) => Answer;

/** Starts the engine. Its own text is the program of the worker, so it uses nothing from outside. */
async function startEngine(bytes: BufferSource): Promise<Asked> {
  const module = await WebAssembly.compile(bytes);
  // The functions that the module imports tell the time and the environment, which no simulation reads.
  const imports: Record<string, Record<string, () => number>> = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from]![name] = () => 0;
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  const called = exports as Record<string, (value?: number) => number>;
  const memory = exports["memory"] as WebAssembly.Memory;
  called["_initialize"]?.();
  return experiment => {
    const request = new TextEncoder().encode(experiment);
    const at = called["room"]!(request.length);
    new Uint8Array(memory.buffer, at, request.length).set(request);
    called["simulate"]!();
    const all = new Uint8Array(memory.buffer, called["answer"]!(), called["answerSize"]!()).slice();
    called["release"]?.();
    const length = new DataView(all.buffer).getUint32(0, true);
    return { json: new TextDecoder().decode(all.subarray(4, 4 + length)), block: all.slice(4 + length) };
  };
}

const workerProgram = `const start=${startEngine.toString()};let asked;
onmessage=async({data})=>{try{
if(data.bytes){asked=await start(data.bytes);postMessage({ready:true});}
else{const answer=asked(data.experiment);postMessage(answer,[answer.block.buffer]);}
}catch(error){postMessage({failure:String(error)});}}`;

type Message = Partial<Answer> & { readonly ready?: boolean; readonly failure?: string };

/** Asks a worker one thing at a time. */
function conversation(worker: Worker): (message: unknown) => Promise<Message> {
  return message =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => {
        const answer = data as Message;
        if (answer.failure === undefined) resolve(answer);
        else reject(new Error(answer.failure));
      };
      worker.onerror = event => {
        event.preventDefault();
        reject(event);
      };
      worker.postMessage(message);
    });
}

async function workerEngine(bytes: Uint8Array): Promise<Engine> {
  const address = URL.createObjectURL(new Blob([workerProgram], { type: "text/javascript" }));
  try {
    const say = conversation(new Worker(address));
    await say({ bytes });
    return {
      ask: async experiment => {
        const { json, block } = await say({ experiment });
        return { json: json!, block: block! };
      },
    };
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Starts the engine from the bytes of its module. Throws if the browser allows no WebAssembly. */
export async function engineOf(bytes: Uint8Array): Promise<Engine> {
  if (typeof Worker !== "undefined") {
    try {
      return await workerEngine(bytes);
    } catch {
      // Some browsers allow no worker in a page from a file: the page's own thread does the work.
    }
  }
  const asked = await startEngine(bytes as BufferSource);
  return { ask: experiment => Promise.resolve(asked(experiment)) };
}
