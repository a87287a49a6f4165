#include "ui/look/glossary.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace ui {
namespace {

struct Entry {
    const char* id;
    const char* name;
    const char* text;
};

// In the order of the data's way through one GPU; glossary() sorts all terms by name.
constexpr std::array kPartEntries{
    Entry{"compute-units", "compute units",
          QT_TRANSLATE_NOOP("Glossary", "The compute units (CUs) run workgroups: those of the GEMM and, in collective "
                                        "kernels, those that copy and add.")},
    Entry{"cache", "last-level cache",
          QT_TRANSLATE_NOOP("Glossary",
                            "The last-level cache (LLC) keeps data that was used before. A load that finds its data "
                            "there is a hit; any other load is a miss, which reads memory.")},
    Entry{"address-map", "address map",
          QT_TRANSLATE_NOOP("Glossary",
                            "The output address map says where stores to each chunk go: to this GPU's memory, or to "
                            "another GPU. It also says which chunks DMA sends once they are complete.")},
    Entry{"tracker", "tracker",
          QT_TRANSLATE_NOOP("Glossary",
                            "The tracker counts the bytes of each tile that have reached memory. When the last tile "
                            "of a block is complete, the tracker triggers the DMA command of this block.")},
    Entry{"near-memory", "near-memory update units",
          QT_TRANSLATE_NOOP("Glossary",
                            "The near-memory update units add arriving data to the data that memory already holds. "
                            "The sum needs no compute unit and no load.")},
    Entry{"arbiter", "arbiter",
          QT_TRANSLATE_NOOP("Glossary",
                            "The arbiter of each memory channel chooses which request enters the DRAM queue next: one "
                            "of the compute stream or one of the communication stream.")},
    Entry{"channels", "memory channels",
          QT_TRANSLATE_NOOP("Glossary",
                            "The memory channels serve requests independently of each other. Each channel has two "
                            "streams, an arbiter and a DRAM queue of its own.")},
    Entry{"dma", "DMA engine",
          QT_TRANSLATE_NOOP("Glossary",
                            "A DMA engine reads a block from memory and sends it over a link. It carries out "
                            "commands that were set up before the GEMM began, and needs no compute unit.")},
    Entry{"links-in", "links in",
          QT_TRANSLATE_NOOP("Glossary", "The links in bring packets from other GPUs. Each direction of a connection "
                                        "between two GPUs is a link of its own.")},
    Entry{"links-out", "links out",
          QT_TRANSLATE_NOOP("Glossary",
                            "The links out carry packets to other GPUs, one packet after the other. Packets that "
                            "are ready while a link is busy wait for it.")},
};

constexpr std::array kMemoryEntries{
    Entry{"nmc", "NMC",
          QT_TRANSLATE_NOOP("Glossary",
                            "Near-memory compute (NMC) adds beside the DRAM banks. A store carries an operand, and "
                            "memory itself adds it to the data that it holds.")},
    Entry{"mca", "MCA",
          QT_TRANSLATE_NOOP("Glossary",
                            "Memory-controller arbitration (MCA) serves compute first. Communication gets a turn only "
                            "while no compute request waits and the DRAM queue is filled to less than a threshold, or "
                            "when it has waited too long.")},
    Entry{"threshold", "threshold",
          QT_TRANSLATE_NOOP("Glossary",
                            "The threshold of MCA is a fill level of the DRAM queue: at this level and above, "
                            "communication has to wait. By default the threshold depends on the share of the DRAM's "
                            "time that the GEMM uses.")},
    Entry{"update", "update",
          QT_TRANSLATE_NOOP("Glossary",
                            "An update is a store that memory adds to the data that it already holds. It keeps the "
                            "DRAM busy for longer than a plain write.")},
    Entry{"stream", "stream",
          QT_TRANSLATE_NOOP("Glossary",
                            "A stream is the queue of requests that wait for the arbiter of a memory channel. Each "
                            "channel has one stream for compute and one for communication.")},
    Entry{"dram-queue", "DRAM queue",
          QT_TRANSLATE_NOOP("Glossary",
                            "The DRAM queue holds the requests of one channel that the arbiter has chosen. DRAM "
                            "serves them in the order in which they were chosen, and the queue holds a limited "
                            "number of bytes.")},
    Entry{"address-mapping", "address mapping",
          QT_TRANSLATE_NOOP(
              "Glossary", "The address mapping says which bits of an address name the memory channel, the bank group, "
                          "the bank and the column. The row has the bits above them.")},
    Entry{"camping", "camping",
          QT_TRANSLATE_NOOP("Glossary",
                            "Traffic camps where a few memory channels or banks get most of it, while the others are "
                            "idle. Camping is the traffic of the busiest channel over the mean of all channels.")},
    Entry{"memory-look-ahead", "look-ahead of memory",
          QT_TRANSLATE_NOOP("Glossary",
                            "The look-ahead of a memory controller is the number of requests at the head of a stream "
                            "among which it chooses the one that DRAM can serve first.")},
    Entry{"head-of-line-blocking", "head-of-line blocking",
          QT_TRANSLATE_NOOP("Glossary",
                            "Head-of-line blocking makes a request wait only because the request in front of it has "
                            "to wait. In the last-level cache, a hit can wait behind stores and misses in this way.")},
    Entry{"llc", "LLC",
          QT_TRANSLATE_NOOP("Glossary",
                            "The LLC is the last-level cache, the last one before memory. All compute units "
                            "of a GPU share it.")},
    Entry{"granule", "granule",
          QT_TRANSLATE_NOOP("Glossary",
                            "A granule is the largest memory request that is simulated as one. Larger granules make a "
                            "simulation faster and coarser.")},
    Entry{"write-back", "write-back",
          QT_TRANSLATE_NOOP("Glossary",
                            "A write-back writes output from the last-level cache to memory. A memory channel that "
                            "has nothing else to do writes back early; the rest is written when the GEMM ends.")},
};

constexpr std::array kTrackerEntries{
    Entry{"entry", "entry",
          QT_TRANSLATE_NOOP("Glossary", "An entry of the tracker holds the counters of one tile, from the tile's first "
                                        "update to its last.")},
    Entry{"set", "set",
          QT_TRANSLATE_NOOP("Glossary", "A set is a row of the tracker's table. The low bits of a workgroup's number "
                                        "choose the set that counts its tile.")},
    Entry{"way", "way",
          QT_TRANSLATE_NOOP("Glossary",
                            "A way is one place in a set of the tracker. A set counts as many tiles at once "
                            "as it has ways; the updates of other tiles wait.")},
    Entry{"trigger", "trigger",
          QT_TRANSLATE_NOOP("Glossary",
                            "A trigger makes a DMA command ready. The tracker triggers a command when all tiles of "
                            "its block are complete.")},
    Entry{"block", "block",
          QT_TRANSLATE_NOOP("Glossary", "A block is the group of tiles that one DMA command sends. A block never "
                                        "crosses the border of a chunk.")},
    Entry{"held", "held updates",
          QT_TRANSLATE_NOOP("Glossary",
                            "Held updates are updates that have arrived while their set of the tracker is full. "
                            "They wait outside the memory streams, in a buffer whose size can be limited.")},
    Entry{"wavefront", "wavefront",
          QT_TRANSLATE_NOOP("Glossary", "A wavefront is a part of a workgroup whose threads run together. The tracker "
                                        "has one counter for each wavefront of a tile.")},
};

constexpr std::array kComputeEntries{
    Entry{"gemm", "GEMM",
          QT_TRANSLATE_NOOP("Glossary", "A GEMM is a multiplication of two matrices: A has M rows and K columns, B has "
                                        "K rows and N columns, the output has M rows and N columns.")},
    Entry{"workgroup", "workgroup",
          QT_TRANSLATE_NOOP("Glossary",
                            "A workgroup is a part of a kernel that one compute unit runs as a whole. A workgroup "
                            "of a GEMM computes one tile of the output.")},
    Entry{"tile", "tile",
          QT_TRANSLATE_NOOP("Glossary", "A tile is the rectangle of the output that one workgroup computes.")},
    Entry{"slot", "slot",
          QT_TRANSLATE_NOOP("Glossary",
                            "A slot is room for one workgroup on a compute unit. The number of slots follows from "
                            "the registers that a workgroup needs, unless the experiment sets it.")},
    Entry{"wave", "wave",
          QT_TRANSLATE_NOOP("Glossary",
                            "A wave is the group of workgroups of a GEMM that fills all slots of the GPU once. The "
                            "last wave often fills only some slots.")},
    Entry{"k-step", "K-step",
          QT_TRANSLATE_NOOP("Glossary",
                            "A K-step multiplies one slice of the GEMM's K dimension. A workgroup computes its tile "
                            "in K-steps, and loads a slice of the inputs for each of them.")},
    Entry{"chunk", "chunk",
          QT_TRANSLATE_NOOP("Glossary", "A chunk is one GPU's share of the output. With N GPUs a collective moves the "
                                        "output in N chunks.")},
};

constexpr std::array kCollectiveEntries{
    Entry{"ring", "ring",
          QT_TRANSLATE_NOOP("Glossary", "In a ring each GPU receives from one neighbour and sends to the other. The "
                                        "ring algorithm needs no other links.")},
    Entry{"reduce-scatter", "reduce-scatter",
          QT_TRANSLATE_NOOP("Glossary",
                            "A reduce-scatter adds up the data of all GPUs. At its end each GPU holds the complete "
                            "sum of one chunk.")},
    Entry{"all-gather", "all-gather",
          QT_TRANSLATE_NOOP("Glossary",
                            "An all-gather gives each GPU the chunks of all GPUs. After a reduce-scatter it "
                            "completes an all-reduce.")},
    Entry{"all-reduce", "all-reduce",
          QT_TRANSLATE_NOOP("Glossary",
                            "An all-reduce gives every GPU the sum of the data of all GPUs. On a ring it is a "
                            "reduce-scatter and then an all-gather.")},
    Entry{"all-to-all", "all-to-all",
          QT_TRANSLATE_NOOP("Glossary",
                            "An all-to-all sends a different chunk from each GPU to each other GPU. Nothing "
                            "is added up.")},
    Entry{"partial-sum", "partial sum",
          QT_TRANSLATE_NOOP("Glossary",
                            "A partial sum is the output of one GPU when K is split over the GPUs: it has the full "
                            "size, but each element is only this GPU's part of the sum. The sum over all GPUs is "
                            "the result.")},
    Entry{"tensor-parallelism", "tensor parallelism",
          QT_TRANSLATE_NOOP("Glossary",
                            "Tensor parallelism (TP) splits the matrices of a layer over several GPUs. TP 8 "
                            "splits them over eight.")},
    Entry{"packet", "packet",
          QT_TRANSLATE_NOOP("Glossary", "A packet is the unit in which a link sends data. It has a header and data.")},
};

constexpr std::array kTimeEntries{
    Entry{"hidden", "hidden communication",
          QT_TRANSLATE_NOOP("Glossary",
                            "Hidden communication is the time that a run saves, compared with the sequential run of "
                            "the same work. If the run takes longer than the sequential run, the window shows the "
                            "extra time as lost.")},
    Entry{"exposed", "exposed communication",
          QT_TRANSLATE_NOOP("Glossary",
                            "Exposed communication is the total time minus the time of the GEMM alone. Hidden and "
                            "exposed communication add up to the communication of the sequential run.")},
    Entry{"critical-path", "critical path",
          QT_TRANSLATE_NOOP("Glossary",
                            "The critical path leads from the last event of a run back to its beginning, at each "
                            "step to the event that was waited for last. The total can only shrink if a part of the "
                            "critical path becomes faster.")},
    Entry{"attribution", "attribution",
          QT_TRANSLATE_NOOP("Glossary",
                            "The attribution divides the total time by cause, such as compute, memory or link. It "
                            "adds up the time of each cause on the critical path.")},
    Entry{"contention", "contention",
          QT_TRANSLATE_NOOP("Glossary",
                            "Contention is the time that requests of one stream wait while memory serves the other "
                            "stream. It arises when compute and communication need memory at the same time.")},
    Entry{"policy", "policy",
          QT_TRANSLATE_NOOP("Glossary", "A policy says how GEMM and collective are combined, for example one after the "
                                        "other (sequential), under T3, or under T3 with MCA.")},
    Entry{"piece", "piece of a GEMM",
          QT_TRANSLATE_NOOP(
              "Glossary", "A piece of a GEMM has some of its workgroups, which are launched as one kernel. Under "
                          "the policy chunked a collective kernel takes the output of each piece when it has ended.")},
    Entry{"degree", "degree",
          QT_TRANSLATE_NOOP("Glossary",
                            "The degree of a GEMM is how many kernels of it run at once. Together they fill the CUs "
                            "that the last wave of one leaves free, so that another tile can be fastest.")},
    Entry{"queue", "queue of pieces",
          QT_TRANSLATE_NOOP("Glossary",
                            "A queue launches its next piece of a GEMM when the piece before it has ended. With two "
                            "queues the pieces of one fill the CUs that the last wave of the other leaves free.")},
    Entry{"signal", "signal",
          QT_TRANSLATE_NOOP("Glossary",
                            "A signal tells a waiting kernel that data are in memory. Under the policy signals "
                            "each tile of the GEMM has one.")},
    Entry{"copy", "copy by DMA",
          QT_TRANSLATE_NOOP(
              "Glossary", "A copy by DMA sends part of a chunk to one GPU. Under the policy chunked-dma the host hands "
                          "it over when a piece of the GEMM has ended, and a DMA engine carries it out.")},
    Entry{"decomposition", "decomposition",
          QT_TRANSLATE_NOOP("Glossary",
                            "Decomposition is what a GEMM loses because it is launched in pieces: how much longer they "
                            "take alone than one kernel.")},
};

constexpr std::array kStepEntries{
    Entry{"stage", "stage",
          QT_TRANSLATE_NOOP("Glossary",
                            "A stage is a group of layers in a row that GPUs of their own hold. Pipeline "
                            "parallelism divides a model into stages, which send activations and gradients to "
                            "each other.")},
    Entry{"micro-batch", "micro-batch",
          QT_TRANSLATE_NOOP("Glossary",
                            "A micro-batch is a part of the sequences of a training step that goes through the "
                            "stages at once. While one stage works on a micro-batch, other stages work on others.")},
    Entry{"timetable", "timetable",
          QT_TRANSLATE_NOOP("Glossary", "The timetable of a step says when each of its tasks starts and ends: passes, "
                                        "messages, sends and the optimizer.")},
    Entry{"pass", "pass",
          QT_TRANSLATE_NOOP("Glossary",
                            "A pass is the work of one micro-batch in the layers of a stage: forward, backward, "
                            "or the gradients of the weights alone.")},
    Entry{"lane", "lane",
          QT_TRANSLATE_NOOP("Glossary",
                            "A lane has the spans of one part of a GPU or of one stage over time. A stage has "
                            "lanes for compute, tensor messages, data messages and sends.")},
    Entry{"order", "order",
          QT_TRANSLATE_NOOP("Glossary",
                            "An order is a list of tasks in program order. Two tasks of different orders wait for "
                            "each other only where one needs what the other makes.")},
    Entry{"look-ahead", "look-ahead",
          QT_TRANSLATE_NOOP("Glossary",
                            "The look-ahead is the number of unfinished tasks at the head of an order that may "
                            "start as soon as their inputs are there. A look-ahead of 1 is program order; a "
                            "larger one is mostly faster, but can be slower.")},
    Entry{"pool", "pool",
          QT_TRANSLATE_NOOP("Glossary",
                            "A pool is a number of equal places, such as the cores of a processor. A task takes "
                            "one free place of its pool from its start to its end.")},
    Entry{"bubble", "bubble",
          QT_TRANSLATE_NOOP("Glossary",
                            "The bubble is the time in which a stage waits for another stage. It is largest at "
                            "the beginning and at the end of a step, when the pipeline fills and drains.")},
    Entry{"staleness", "staleness",
          QT_TRANSLATE_NOOP("Glossary",
                            "The staleness of a gradient counts the updates of its weights between its forward "
                            "pass and its backward pass. Only schedules with delayed gradients have any.")},
    Entry{"1f1b", "1F1B",
          QT_TRANSLATE_NOOP("Glossary",
                            "The schedule 1F1B lets each stage of a pipeline alternate one forward pass and one "
                            "backward pass. A stage holds activations of at most as many micro-batches as "
                            "there are stages from it to the last.")},
    Entry{"zb-h1", "ZB-H1",
          QT_TRANSLATE_NOOP("Glossary",
                            "ZB-H1 is 1F1B with backward passes in two parts. The gradients of the weights can "
                            "wait, and fill time that would be bubble.")},
    Entry{"data-parallelism", "data parallelism",
          QT_TRANSLATE_NOOP("Glossary",
                            "Data parallelism gives each replica of a model sequences of its own. Replicas add up "
                            "their gradients once in each step, in data messages.")},
};

template <std::size_t N>
void append(std::vector<GlossaryTerm>& terms, const std::array<Entry, N>& entries) {
    for (const Entry& entry : entries)
        terms.push_back({QString::fromLatin1(entry.id), QString::fromLatin1(entry.name),
                         QCoreApplication::translate("Glossary", entry.text)});
}

std::vector<GlossaryTerm> allTerms() {
    std::vector<GlossaryTerm> terms;
    append(terms, kPartEntries);
    append(terms, kMemoryEntries);
    append(terms, kTrackerEntries);
    append(terms, kComputeEntries);
    append(terms, kCollectiveEntries);
    append(terms, kTimeEntries);
    append(terms, kStepEntries);
    std::ranges::sort(terms, [](const GlossaryTerm& a, const GlossaryTerm& b) {
        return QString::compare(a.name, b.name, Qt::CaseInsensitive) < 0;
    });
    return terms;
}

}  // namespace

const std::vector<GlossaryTerm>& glossary() {
    static const std::vector<GlossaryTerm> terms = allTerms();
    return terms;
}

QString glossaryText(const QString& id) {
    const auto& terms = glossary();
    const auto term = std::ranges::find(terms, id, &GlossaryTerm::id);
    return term == terms.end() ? QString() : term->text;
}

}  // namespace ui
