// An include that points the wrong way: the layer check must notice it.

#pragma once

#include "keeper/keeper.h"
