#pragma once

#include "data/figure/figure_spec.h"

namespace data {

class GalleryRuns;

// One function for each entry of the gallery. What they return lacks only what is the same for all: name, title, program.

FigureSpec sublayerRuntimeFigure(GalleryRuns& runs);
FigureSpec sublayerSpeedupFigure(GalleryRuns& runs);
FigureSpec dramAccessFigure(GalleryRuns& runs);
FigureSpec dramTrafficFigure(GalleryRuns& runs);
FigureSpec endToEndFigure(GalleryRuns& runs);
FigureSpec communicationShareFigure(GalleryRuns& runs);
FigureSpec cuSplitFigure(GalleryRuns& runs);
FigureSpec reduceScatterTimeFigure(GalleryRuns& runs);

}  // namespace data
